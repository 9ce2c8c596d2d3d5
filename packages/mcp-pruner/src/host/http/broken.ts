import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { httpError } from '@jeeves/protocol';

export interface BrokenRequests {
  /** Whether a reply is under way on this connection. */
  readonly isAnswering: (socket: Duplex) => boolean;
  /** Told the status of every answer. */
  readonly answered: (status: number) => void;
}

/** Answers what never became a request: unreadable bytes, endless headers, a head or body that does not arrive. */
export function answerBrokenRequests(server: Server, { isAnswering, answered }: BrokenRequests): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // In the middle of a reply there is no way to say anything.
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const { status, body } = problemOf(error.code);
    answered(status);
    const text = JSON.stringify(body);
    const head = [
      `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(text)}`,
      'connection: close',
    ];
    socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
  });
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function problemOf(code: string | undefined): ReturnType<typeof httpError> {
  if (code === 'HPE_HEADER_OVERFLOW') return httpError('headers_too_large', 'the headers are too long');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return httpError('request_timeout', 'the request did not arrive in time');
  return httpError('bad_request', 'the request cannot be read');
}
