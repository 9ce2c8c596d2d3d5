import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type HttpError, httpError } from '@jeeves/protocol';

export interface BrokenRequests {
  /** Whether a reply is under way on this connection. */
  readonly isAnswering: (socket: Duplex) => boolean;
  /** Told of every answer, with the request where it is known. */
  readonly answered: (status: number, socket: Duplex, request?: IncomingMessage) => void;
}

/**
 * Answers what never became a request, or broke off as one: unreadable bytes, endless headers, a head or body that does
 * not arrive, and the wish for a tunnel.
 */
export function answerBrokenRequests(server: Server, { isAnswering, answered }: BrokenRequests): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // In the middle of a reply there is no way to say anything.
    if (!socket.writable || error.code === 'ECONNRESET' || isAnswering(socket)) {
      socket.destroy();
      return;
    }
    const problem = problemOf(error.code);
    answered(problem.status, socket);
    endWith(socket, problem);
  });
  server.on('connect', (request: IncomingMessage, socket: Duplex) => {
    const problem = httpError('method_not_allowed', 'this server is no proxy');
    answered(problem.status, socket, request);
    endWith(socket, problem);
  });
}

function endWith(socket: Duplex, { status, body }: HttpError): void {
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${REASONS[status] ?? 'Error'}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  socket.on('error', () => undefined);
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy());
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
};

function problemOf(code: string | undefined): HttpError {
  if (code === 'HPE_HEADER_OVERFLOW') return httpError('headers_too_large', 'the headers are too long');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return httpError('request_timeout', 'the request did not arrive in time');
  return httpError('bad_request', 'the request cannot be read');
}
