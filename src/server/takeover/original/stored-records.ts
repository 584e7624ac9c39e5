import { AppError } from '../../../shared/domain/failure.ts'
import type { RecordReader } from '../../exchange/record-reader.ts'
import type { BoltBucket } from '../bolt/read-bolt.ts'

/** Returns the records in a bucket. The object mapper that File Browser and FileBrowser Quantum use stores its own values beside them. */
export const recordsIn = (bucket: BoltBucket | undefined): [key: string, value: Buffer][] =>
  [...(bucket?.values ?? [])].filter(([, value]) => value[0] === 0x7b)

/** Parses a stored value. `where` names the record in the reason of an error. */
export function jsonOf(value: Buffer, where: string): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(value))
  } catch (cause) {
    throw new AppError('corrupt', { cause, reason: `the record of ${where} is damaged` })
  }
}

/**
 * Throws `corrupt` unless a record has members that the program which stored it always writes. A member whose name is damaged would
 * otherwise count as absent, and a user could lose the rules that confine them.
 */
export function requireMembers(record: RecordReader, names: readonly string[], where: string): void {
  const present = new Set(record.entries().map(([name]) => name))
  const absent = names.find((name) => !present.has(name))
  if (absent !== undefined)
    throw new AppError('corrupt', { reason: `the record of ${where} has no ${absent}, or is damaged` })
}

/** Reads a big-endian integer of 8 bytes. Returns 0 for other bytes, and for an integer that is not exact here. */
export function numberOf(bytes: Buffer): number {
  const number = bytes.length === 8 ? Number(bytes.readBigUInt64BE(0)) : 0
  return Number.isSafeInteger(number) ? number : 0
}
