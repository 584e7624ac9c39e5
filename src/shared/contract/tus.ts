import { Type } from 'typebox'
import { optionText } from './wire.ts'
import { endpoint, type HeaderDeclaration } from './endpoint.ts'
import { lossHeaderDeclaration, modifiedHeader } from './entry-headers.ts'

/** The media type of the parts of an upload. */
export const partMediaType = 'application/offset+octet-stream'

/** The version of the protocol. Every response contains this header, although old clients do not read it. */
const headers = { 'Tus-Resumable': '1.0.0' } as const

const byteCount = Type.Integer({ minimum: 0 })
const version: HeaderDeclaration = {
  name: 'Tus-Resumable',
  description: 'The version of the protocol, 1.0.0',
}
const offset: HeaderDeclaration = {
  name: 'Upload-Offset',
  description: 'The number of bytes that the server has received',
  schema: byteCount,
}
const length: HeaderDeclaration = {
  name: 'Upload-Length',
  description: 'The number of bytes of the complete file',
  schema: byteCount,
}

export const beginUpload = endpoint({
  route: 'tus.begin',
  headers,
  summary: 'Begins an upload in parts; `Upload-Length` is the number of bytes of the file',
  audience: 'session',
  needs: 'create',
  body: 'none',
  requestHeaders: [{ ...length, isRequired: true }, modifiedHeader],
  successStatuses: [201],
  responseHeaders: [version, { name: 'Location', description: 'The URL to which the parts are sent' }],
  failures: ['too-large', 'too-many-tries'],
  query: Type.Object({ override: Type.Optional(optionText) }),
})

export const showUpload = endpoint({
  route: 'tus.show',
  headers,
  summary: 'Returns the progress of an upload (`Upload-Offset` of `Upload-Length`)',
  audience: 'session',
  needs: 'create',
  body: 'none',
  responseHeaders: [version, offset, length],
})

export const continueUpload = endpoint({
  route: 'tus.continue',
  headers,
  summary: 'Sends the next part of an upload; after the last one the file appears at its path',
  audience: 'session',
  needs: 'create',
  body: 'bytes',
  bodyMediaType: partMediaType,
  requestHeaders: [{ ...offset, isRequired: true }],
  successStatuses: [204],
  responseHeaders: [version, offset, lossHeaderDeclaration],
  failures: ['wrong-media-type', 'wrong-offset', 'is-a-folder', 'too-many-tries'],
})

export const abortUpload = endpoint({
  route: 'tus.abort',
  headers,
  summary: 'Aborts an upload of the caller; an existing file at its path stays',
  audience: 'session',
  body: 'none',
  successStatuses: [204],
  responseHeaders: [version],
})
