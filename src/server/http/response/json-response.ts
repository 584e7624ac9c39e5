import type { RouteResponse } from '../route.ts'
import { jsonType } from './headers.ts'

/** Returns the response with a value as JSON, or with the chunks of a JSON text as they are produced. */
export const jsonResponse = (json: object | AsyncIterable<string>): RouteResponse =>
  Symbol.asyncIterator in json
    ? { kind: 'stream', contentType: jsonType, chunks: json }
    : { kind: 'json', json }
