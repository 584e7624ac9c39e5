import type { TSchema } from 'typebox'
import { Compile, type Validator } from 'typebox/schema'
import type { Endpoint } from '../../../shared/contract/endpoint.ts'
import { AppError } from '../../../shared/domain/failure.ts'
import { limits } from '../../../shared/domain/limits.ts'
import type { Pacer } from '../../turns/pacer.ts'

/** Less than this is read while nobody waits for it. */
const largeBytes = 64 * 1024

/** Whether a value fits a schema; compiled when it is first asked: most calls are never made on most servers. */
export function createCheck(schema: TSchema): (value: unknown) => boolean {
  let validator: Validator | undefined
  return (value) => (validator ??= Compile(schema)).Check(value)
}

/** Reads the JSON of a request by its endpoint's schema, whatever content type it says. */
export type JsonReader = (bytes: AsyncIterable<Uint8Array>, sizeBytes: number | undefined) => Promise<unknown>

/**
 * The first value counts, whatever stands behind it (contract 1.9). Too much is `too-large`; what is no JSON, nests deeper than 32 or does
 * not fit is `bad-request`. No body is no value, where the schema can do without one; where it takes anything at all (logging in), what is
 * no JSON is none either.
 */
export function createJsonReader(endpoint: Endpoint, pace: Pacer): JsonReader {
  const fits = endpoint.schema === undefined ? () => true : createCheck(endpoint.schema)
  const mostBytes = endpoint.maxBodyBytes ?? limits.jsonBodyBytes
  return async (bytes, sizeBytes) => {
    if (sizeBytes !== undefined && sizeBytes > mostBytes) throw new AppError('too-large')
    const sent = await collect(bytes, mostBytes)
    if (sent.length > largeBytes) await pace()
    const value = parseJson(sent)
    if (value === notJson && fits(sent.length === 0 ? undefined : notJson)) return undefined
    if (value === notJson) throw new AppError('bad-request', { reason: 'the body is no JSON' })
    if (!fits(value)) throw new AppError('bad-request', { reason: 'the body does not have the right fields' })
    return value
  }
}

const notJson = Symbol('not JSON')

async function collect(bytes: AsyncIterable<Uint8Array>, mostBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of bytes) {
    sizeBytes += chunk.length
    if (sizeBytes > mostBytes) throw new AppError('too-large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function parseJson(bytes: Buffer): unknown {
  const { depth, end } = measure(bytes)
  if (depth > limits.jsonDepth) return notJson
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end))) as unknown
  } catch {
    return notJson
  }
}

type Measures = { readonly depth: number; readonly end: number }

/**
 * The deepest nesting of the first list or object and where that ends, before anything is parsed. Brackets inside texts do not count. A
 * value of another kind has no end but that of the bytes.
 */
function measure(bytes: Buffer): Measures {
  let depth = 0
  let most = 0
  let isText = false
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (isText && byte === 0x5c) at += 1
    else if (byte === 0x22) isText = !isText
    else if (!isText && (byte === 0x5b || byte === 0x7b)) most = Math.max(most, (depth += 1))
    else if (!isText && (byte === 0x5d || byte === 0x7d)) {
      depth -= 1
      if (depth <= 0) return { depth: most, end: at + 1 }
    }
  }
  return { depth: most, end: bytes.length }
}
