// A server that is gone before anybody could say hello.
process.exit(3);
