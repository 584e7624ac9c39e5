import { Type } from 'typebox'
import { endpoint } from './endpoint.ts'

/** What the body of a part is sent as. */
export const partMediaType = 'application/offset+octet-stream'

/** Every successful answer names the version of the protocol, which old clients do not look at. */
export const tusHeaders = { 'Tus-Resumable': '1.0.0' } as const

export const beginUpload = endpoint({
  route: 'tus.begin',
  summary: 'Begins an upload in parts; `Upload-Length` says how many bytes will come',
  who: 'session',
  needs: 'create',
  body: 'none',
  query: Type.Object({ override: Type.Optional(Type.String()) }),
})

export const showUpload = endpoint({
  route: 'tus.show',
  summary: 'Says how far an upload has come (`Upload-Offset` of `Upload-Length`)',
  who: 'session',
  needs: 'create',
  body: 'none',
})

export const continueUpload = endpoint({
  route: 'tus.continue',
  summary: 'Brings the next part of an upload; the last one puts the file in place',
  who: 'session',
  needs: 'create',
  body: 'bytes',
})

export const abortUpload = endpoint({
  route: 'tus.abort',
  summary: 'Ends an upload of one’s own; what stood at its path before stays',
  who: 'session',
  body: 'none',
})
