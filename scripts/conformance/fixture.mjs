// The host of the product with the tools that the conformance suite wants to call.
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHttpListener, createMcpRoute } from '../../packages/mcp-pruner/dist/host/index.js';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';

const text = (value) => ({ type: 'text', text: value });
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' };
const resource = (name, mimeType, value) => ({
  type: 'resource',
  resource: { uri: `test://${name}`, mimeType, text: value },
});

/** By name: what a call gives back. */
const RESULTS = {
  test_simple_text: () => ({ content: [text('This is a simple text response for testing.')] }),
  test_image_content: () => ({ content: [image] }),
  test_audio_content: () => ({ content: [{ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }] }),
  test_embedded_resource: () => ({
    content: [resource('embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  }),
  test_multiple_content_types: () => ({
    content: [
      text('Multiple content types test:'),
      image,
      resource('mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
    ],
  }),
  test_error_handling: () => ({
    content: [text('This tool intentionally returns an error for testing')],
    isError: true,
  }),
  test_tool_with_progress: async ({ progress }) => {
    for (let step = 0; step < 3; step += 1) {
      progress(`step ${step}`);
      // The host passes on one message a second.
      await sleep(1100);
    }
    return { content: [text('done')] };
  },
  json_schema_2020_12_tool: () => ({ content: [text('done')] }),
};

const EMPTY = { type: 'object', properties: {}, additionalProperties: false };
const RICH = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
};

const foreign = {
  list: async () =>
    Object.keys(RESULTS).map((name) => ({
      name,
      description: `The suite's ${name}.`,
      inputSchema: name === 'json_schema_2020_12_tool' ? RICH : EMPTY,
    })),
  find: (name) =>
    Object.hasOwn(RESULTS, name)
      ? {
          name,
          run: async (call) => ({
            text: '',
            structured: {},
            isError: false,
            mode: 'raw',
            result: await RESULTS[name](call),
          }),
        }
      : undefined,
};

/** Starts it and gives its address. */
export async function startFixture() {
  const options = {
    server: { name: 'conformance-fixture', version: '1.0.0', instructions: '' },
    tools: [],
    foreign,
    output: 'structured',
    emit: () => undefined,
    now: Date.now,
    newRequestId: () => randomBytes(8).toString('hex'),
  };
  const listener = createHttpListener({
    routes: [createMcpRoute({ host: () => options, randomBytes })],
    guard: { allowedHosts: [], token: randomBytes(16).toString('hex'), tokenRequired: false },
    emit: () => undefined,
    now: Date.now,
  });
  const { port } = await listener.listen('127.0.0.1', 0);
  return {
    url: `http://localhost:${port}/mcp`,
    stop: () => listener.stop({ drainMs: 1000, abortMs: 1000 }),
  };
}
