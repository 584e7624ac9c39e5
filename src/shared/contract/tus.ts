import { Type } from 'typebox'
import { endpoint, type NamedHeader } from './endpoint.ts'

/** What the body of a part is sent as. */
export const partMediaType = 'application/offset+octet-stream'

/** Every answer names the version of the protocol, which old clients do not look at. */
const headers = { 'Tus-Resumable': '1.0.0' } as const

const bytesCount = Type.Integer({ minimum: 0 })
const version: NamedHeader = { name: 'Tus-Resumable', says: 'The version of the protocol, 1.0.0' }
const offset: NamedHeader = {
  name: 'Upload-Offset',
  says: 'How many bytes are there already',
  schema: bytesCount,
}
const length: NamedHeader = {
  name: 'Upload-Length',
  says: 'How many bytes the file will have',
  schema: bytesCount,
}

export const beginUpload = endpoint({
  route: 'tus.begin',
  headers,
  summary: 'Begins an upload in parts; `Upload-Length` says how many bytes will come',
  who: 'session',
  needs: 'create',
  body: 'none',
  takes: [{ ...length, isRequired: true }],
  succeeds: [201],
  tells: [version, { name: 'Location', says: 'Where the parts are sent to' }],
  fails: ['too-large'],
  query: Type.Object({ override: Type.Optional(Type.String()) }),
})

export const showUpload = endpoint({
  route: 'tus.show',
  headers,
  summary: 'Says how far an upload has come (`Upload-Offset` of `Upload-Length`)',
  who: 'session',
  needs: 'create',
  body: 'none',
  tells: [version, offset, length],
})

export const continueUpload = endpoint({
  route: 'tus.continue',
  headers,
  summary: 'Brings the next part of an upload; the last one puts the file in place',
  who: 'session',
  needs: 'create',
  body: 'bytes',
  sends: partMediaType,
  takes: [{ ...offset, isRequired: true }],
  succeeds: [204],
  tells: [version, offset],
  fails: ['wrong-media-type', 'wrong-offset', 'is-a-folder', 'too-many-tries'],
})

export const abortUpload = endpoint({
  route: 'tus.abort',
  headers,
  summary: 'Ends an upload of one’s own; what stood at its path before stays',
  who: 'session',
  body: 'none',
  succeeds: [204],
  tells: [version],
})
