import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'
import { fileResponse } from './file-response.ts'
import type { WireType } from './wire.ts'

/** A number in a query, in decimal digits. */
const count = (description: string, digits: number) =>
  Type.Optional(Type.String({ description, maxLength: digits }))

const echoSchema = Type.Object(
  {
    id: Type.String({ description: 'A text that is different in each response' }),
    host: Type.String({ description: 'The header `Host` with which the request arrived' }),
    forwardedHost: Type.String({
      description: 'The host that a trusted proxy forwards. Empty without one',
    }),
    isSecure: Type.Boolean({
      description: 'True when the browser uses TLS, according to the connection or to a trusted proxy',
    }),
    isProxyTrusted: Type.Boolean({ description: 'True when the connection comes from a trusted proxy' }),
    isForwarded: Type.Boolean({ description: 'True when the request has headers that proxies add' }),
    peer: Type.String({
      description: 'The address of a proxy that is not trusted. Empty for a trusted one',
    }),
    hasToken: Type.Boolean({ description: 'True when the header `X-Auth` arrived' }),
    fillCharacters: Type.Integer({ description: 'The length of `fill` in the query' }),
  },
  { title: 'DoctorEcho' },
)

/** A request of the doctor as it arrived at the server. */
export type DoctorEcho = WireType<typeof echoSchema>

export const getDoctorEcho = endpoint({
  route: 'doctor.echo',
  summary: 'Returns how a request arrived, so that an administrator sees what a proxy changes',
  audience: 'admin',
  body: 'none',
  query: Type.Object({
    fill: Type.Optional(
      Type.String({ description: 'Any text, which makes the request line long', maxLength: 60 * 1024 }),
    ),
    headerBytes: count('The size of a header of the response, at most 16384', 5),
  }),
  responses: { 'application/json': echoSchema },
  responseHeaders: [
    { name: 'Location', description: 'The address of this endpoint, as the server knows it' },
    { name: 'X-Fill', description: 'A text of the size that `headerBytes` names' },
  ],
})

const receivedSchema = Type.Object(
  {
    receivedBytes: Type.Integer(),
    receivingMs: Type.Integer({ description: 'The time between the head of the request and its last byte' }),
  },
  { title: 'DoctorReceived' },
)

/** The arrival of a body that the server threw away. */
export type DoctorReceived = WireType<typeof receivedSchema>

export const sendDoctorBody = endpoint({
  route: 'doctor.receive',
  summary: 'Reads a body of at most 128 MiB and throws it away',
  audience: 'admin',
  body: 'bytes',
  query: Type.Object({
    pauseMs: count('The time in milliseconds before the body is read, at most 3000', 4),
  }),
  responses: { 'application/json': receivedSchema },
  failures: ['too-large', 'too-many-tries'],
})

export const getDoctorStream = endpoint({
  route: 'doctor.stream',
  summary: 'Sends lines one after the other, which shows whether a proxy waits for them',
  audience: 'admin',
  body: 'none',
  query: Type.Object({
    delayMs: count('The time in milliseconds before the first line, at most 90000', 5),
    everyMs: count('The time in milliseconds between two lines, at most 1000', 4),
    lines: count('The number of lines, at most 20', 2),
  }),
  responses: { 'text/plain': Type.String() },
  failures: ['too-many-tries'],
})

export const getDoctorFile = endpoint({
  route: 'doctor.file',
  summary:
    'Sends a text of 64 KiB as a file is sent, which shows whether a proxy changes files and their parts',
  audience: 'admin',
  body: 'none',
  ...fileResponse,
  responses: { 'text/plain': Type.String() },
})
