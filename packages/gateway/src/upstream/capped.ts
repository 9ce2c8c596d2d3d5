const NEWLINE = 0x0a;

/**
 * The same response, with a body that breaks off at a message of more than `maxBytes`. In a stream of events a message
 * is one line; otherwise it is all there is.
 */
export function capped(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  let length = 0;
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      let longest = length;
      let start = 0;
      for (let end = isStream ? chunk.indexOf(NEWLINE) : -1; end >= 0; end = chunk.indexOf(NEWLINE, start)) {
        longest = Math.max(longest, length + end - start);
        length = 0;
        start = end + 1;
      }
      length += chunk.length - start;
      if (Math.max(longest, length) <= maxBytes) controller.enqueue(chunk);
      else controller.error(new Error(`sent a message of more than ${maxBytes} bytes`));
    },
  });
  return new Response(response.body.pipeThrough(counter), response);
}
