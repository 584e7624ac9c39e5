import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'
import type { RateLimiter } from '../../concurrency/rate-limiter.ts'

/**
 * Bodies of up to 64 KiB are parsed immediately. Larger bodies wait for the rate limiter, because parsing them blocks
 * the event loop.
 */
const largeBytes = 64 * 1024

/**
 * Creates a function that checks values against a schema. The schema is compiled on first use, because most servers
 * never receive most of the calls.
 */
export function createSchemaCheck(schema: TSchema): (value: unknown) => boolean {
  let validator: Validator | undefined
  return (value) => (validator ??= Compile(schema)).Check(value)
}

/** Reads and checks the JSON body of a request. The content type is ignored. */
export type JsonReader = (bytes: AsyncIterable<Uint8Array>, sizeBytes: number | undefined) => Promise<unknown>

/**
 * Creates the reader of an endpoint's JSON bodies. It reads the first JSON value and ignores any text after it
 * (contract 1.9). A body that is too large throws `too-large`; a body that is not JSON, is nested deeper than 32 levels
 * or does not match the schema throws `bad-request`. A missing body is read as undefined where the schema allows
 * undefined. Where the schema allows any value (as for logging in), a body that is not JSON is also read as undefined.
 */
export function createJsonReader(endpoint: Endpoint, pace: RateLimiter): JsonReader {
  const fits = endpoint.schema === undefined ? () => true : createSchemaCheck(endpoint.schema)
  const maxBytes = endpoint.maxBodyBytes ?? limits.jsonBodyBytes
  return async (bytes, sizeBytes) => {
    if (sizeBytes !== undefined && sizeBytes > maxBytes) throw new AppError('too-large')
    const sent = await collect(bytes, maxBytes)
    if (sent.length > largeBytes) await pace()
    const value = parseJson(sent)
    if (value === notJson && fits(sent.length === 0 ? undefined : notJson)) return undefined
    if (value === notJson) throw new AppError('bad-request', { reason: 'the body is no JSON' })
    if (!fits(value)) throw new AppError('bad-request', { reason: 'the body does not have the right fields' })
    return value
  }
}

const notJson = Symbol('not JSON')

async function collect(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of bytes) {
    sizeBytes += chunk.length
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

type JsonExtent = { readonly depth: number; readonly end: number }

/**
 * Measures the nesting depth of the first list or object and finds its end, before anything is parsed. Brackets within
 * strings do not count. For a value of any other kind, the end is the end of the bytes.
 */
function measureJson(bytes: Buffer): JsonExtent {
  let depth = 0
  let deepest = 0
  let isText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (isText && byte === 0x5c) at += 1
    else if (byte === 0x22) isText = !isText
    else if (!isText && (byte === 0x5b || byte === 0x7b)) deepest = Math.max(deepest, (depth += 1))
    else if (!isText && (byte === 0x5d || byte === 0x7d)) {
      depth -= 1
      if (depth <= 0) return { depth: deepest, end: at + 1 }
    }
  }
  return { depth: deepest, end: bytes.length }
}
