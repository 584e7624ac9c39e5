import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'
import type { RateLimiter } from '../../concurrency/rate-limiter.ts'

/**
 * The size above which a JSON body counts as large: 64 KiB. Large bodies wait for the rate limiter, because parsing
 * them blocks the event loop.
 */
const largeBodyBytes = 64 * 1024

/**
 * Creates a function that checks values against a schema. The schema is compiled on first use, because a typical server
 * never uses most of the endpoints.
 */
export function createSchemaCheck(schema: TSchema): (value: unknown) => boolean {
  let validator: Validator | undefined
  return (value) => (validator ??= Compile(schema)).Check(value)
}

/** Reads and validates the JSON body of a request. The content type is ignored. */
export type JsonReader = (bytes: AsyncIterable<Uint8Array>, options: JsonReadOptions) => Promise<unknown>

export type JsonReadOptions = {
  /** The size of the body, if the client has announced it. */
  readonly sizeBytes: number | undefined
  /** Called with the maximum size of a large body before it is held in memory. May throw to refuse the body. */
  readonly hold: (bytes: number) => void
}

/**
 * Creates the reader of an endpoint's JSON bodies. The reader parses the first JSON value and ignores all bytes after
 * it (contract 1.9). It throws `too-large` for a body that is too large, and `bad-request` for a body that is not JSON,
 * is nested deeper than 32 levels, or does not match the schema. It returns undefined for a missing body when the
 * schema allows undefined, and for a body that is not JSON when the schema allows any value (as for logging in).
 */
export function createJsonReader(endpoint: Endpoint, pace: RateLimiter): JsonReader {
  const matchesSchema = endpoint.schema === undefined ? () => true : createSchemaCheck(endpoint.schema)
  const maxBytes = endpoint.maxBodyBytes ?? limits.jsonBodyBytes
  return async (bytes, { sizeBytes = maxBytes, hold }) => {
    if (sizeBytes > maxBytes) throw new AppError('too-large')
    const body = await collect(bytes, { maxBytes, onLarge: () => hold(sizeBytes) })
    if (body.length > largeBodyBytes) await pace()
    const value = parseJson(body)
    if (value === notJson && matchesSchema(body.length === 0 ? undefined : notJson)) return undefined
    if (value === notJson) throw new AppError('bad-request', { reason: 'the body is not JSON' })
    if (!matchesSchema(value))
      throw new AppError('bad-request', { reason: 'the body does not match the schema' })
    return value
  }
}

const notJson = Symbol('not JSON')

async function collect(
  bytes: AsyncIterable<Uint8Array>,
  { maxBytes, onLarge }: { readonly maxBytes: number; readonly onLarge: () => void },
): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of bytes) {
    const isLarge = sizeBytes > largeBodyBytes
    sizeBytes += chunk.length
    if (!isLarge && sizeBytes > largeBodyBytes) onLarge()
    if (sizeBytes > maxBytes) throw new AppError('too-large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Buffer): unknown {
  const { depth, end } = measureJson(bytes)
  if (depth > limits.jsonDepth) return notJson
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end))) as unknown
  } catch {
    return notJson
  }
}

/**
 * Measures the nesting depth of the first array or object in the bytes and finds its end, without parsing it. Brackets
 * inside strings are ignored. For any other kind of value, the end is the end of the bytes.
 */
function measureJson(bytes: Buffer): { readonly depth: number; readonly end: number } {
  let depth = 0
  let deepest = 0
  let isInString = false
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (isInString && byte === 0x5c) index += 1
    else if (byte === 0x22) isInString = !isInString
    else if (!isInString && (byte === 0x5b || byte === 0x7b)) deepest = Math.max(deepest, (depth += 1))
    else if (!isInString && (byte === 0x5d || byte === 0x7d)) {
      depth -= 1
      if (depth <= 0) return { depth: deepest, end: index + 1 }
    }
  }
  return { depth: deepest, end: bytes.length }
}
