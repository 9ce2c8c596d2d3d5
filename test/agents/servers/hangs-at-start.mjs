// A server that never answers, does not notice that its client is gone, and ignores being asked to end.
process.on('SIGTERM', () => undefined);
process.on('SIGINT', () => undefined);
setInterval(() => undefined, 60_000);
