const NEWLINE = 0x0a;
const RETURN = 0x0d;

/**
 * The same response, with a body that breaks off at a message of more than `maxBytes`. In a stream of events a message is
 * one event, whatever number of lines it has; otherwise it is all there is.
 */
export function capped(response: Response, maxBytes: number): Response {
  if (response.body === null) return response;
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const add = isStream ? eventCounter() : byteCounter();
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      if (add(chunk) <= maxBytes) controller.enqueue(chunk);
      else controller.error(new Error(`sent a message of more than ${maxBytes} bytes`));
    },
  });
  return new Response(response.body.pipeThrough(counter), response);
}

/** Takes the next chunk, and says how long the longest message is of which a part was in it. */
type Counter = (chunk: Uint8Array) => number;

function byteCounter(): Counter {
  let length = 0;
  return (chunk) => (length += chunk.length);
}

/** An event ends at an empty line. Line breaks count as nothing, so that one event is as long as what it says. */
function eventCounter(): Counter {
  let length = 0;
  let lineIsEmpty = true;
  let last = 0;
  return (chunk) => {
    let longest = length;
    for (const byte of chunk) {
      // The two bytes of one line break are one line break, also where a chunk ends between them.
      const isBreak = byte === RETURN || (byte === NEWLINE && last !== RETURN);
      if (isBreak && lineIsEmpty) {
        longest = Math.max(longest, length);
        length = 0;
      } else if (isBreak) lineIsEmpty = true;
      else if (byte !== NEWLINE) {
        length += 1;
        lineIsEmpty = false;
      }
      last = byte;
    }
    return Math.max(longest, length);
  };
}
