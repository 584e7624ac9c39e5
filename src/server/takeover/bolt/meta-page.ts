import { BoltError } from './bolt-error.ts'

/** The content of a meta page: where the tree of the newest transaction begins, and the size of the file in use. */
export type BoltMeta = {
  readonly pageBytes: number
  /** The page number of the root bucket's first page. */
  readonly rootPage: number
  /** The number of pages in use. Every page number is below it. */
  readonly pageCount: number
  readonly transactionId: bigint
}

const magic = 0xed0cdaed
const formatVersion = 2
const pageHeaderBytes = 16
/** The number of bytes of a meta page, after its page header, that its checksum covers. */
const checkedBytes = 56
const metaBytes = pageHeaderBytes + checkedBytes + 8
/** The size of a page is the page size of the machine that made the file: 4 KiB, and up to 64 KiB on some machines. */
const pageSizes = [1024, 2048, 4096, 8192, 16_384, 32_768, 65_536]

/**
 * Returns the newest valid meta page. Bolt writes its two meta pages alternately, so one of them is whole after an
 * interrupted write. Throws a `BoltError` when neither is valid.
 */
export function readMeta(file: Buffer): BoltMeta {
  const first = readMetaAt(file, 0)
  const second = secondMeta(file, first)
  const valid = [first, second].filter((meta) => typeof meta !== 'string')
  const newest = valid.toSorted((a, b) => (a.transactionId < b.transactionId ? 1 : -1))[0]
  if (newest !== undefined) return newest
  throw new BoltError(...faultOfMetas(file, [first, second]))
}

/** A meta page, or the reason why the bytes are not a valid meta page. */
type MetaResult = BoltMeta | 'absent' | 'version' | 'checksum' | 'values'

/** Reads the second meta page. When the first one does not state the page size, all known sizes are tried. */
function secondMeta(file: Buffer, first: MetaResult): MetaResult {
  if (typeof first !== 'string') return readMetaAt(file, first.pageBytes)
  const results = pageSizes.map((offset) => readMetaAt(file, offset))
  const isOwnOffset = (meta: MetaResult, index: number): boolean =>
    typeof meta !== 'string' && meta.pageBytes === pageSizes[index]
  return results.find(isOwnOffset) ?? results.find((result) => result === 'version') ?? 'absent'
}

function readMetaAt(file: Buffer, offset: number): MetaResult {
  if (offset + metaBytes > file.length) return 'absent'
  const meta = file.subarray(offset + pageHeaderBytes, offset + metaBytes)
  if (meta.readUInt32LE(0) !== magic) return 'absent'
  if (meta.readUInt32LE(4) !== formatVersion) return 'version'
  if (meta.readBigUInt64LE(checkedBytes) !== fnv1a64(meta.subarray(0, checkedBytes))) return 'checksum'
  const [pageBytes, rootPage, pageCount] = [
    meta.readUInt32LE(8),
    meta.readBigUInt64LE(16),
    meta.readBigUInt64LE(40),
  ]
  const isPossible = pageSizes.includes(pageBytes) && rootPage < pageCount && pageCount < 2n ** 40n
  if (!isPossible) return 'values'
  const transactionId = meta.readBigUInt64LE(48)
  return { pageBytes, rootPage: Number(rootPage), pageCount: Number(pageCount), transactionId }
}

function faultOfMetas(file: Buffer, metas: readonly MetaResult[]): ConstructorParameters<typeof BoltError> {
  if (metas.includes('version')) return ['version', 'has a version of the Bolt format that is not known']
  if (metas.some((meta) => meta !== 'absent')) return ['damaged', 'has no valid meta page']
  if (file.length < metaBytes) return ['truncated', 'is too short to be a Bolt file']
  return ['foreign', 'is no Bolt file']
}

const fnvOffset = 0xcbf29ce484222325n
const fnvPrime = 0x100000001b3n

/** Returns the FNV-1a hash of 64 bits, which is Bolt's checksum. */
function fnv1a64(bytes: Uint8Array): bigint {
  let hash = fnvOffset
  for (const byte of bytes) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * fnvPrime)
  return hash
}

/** The number of bytes at the start of a file that `isBoltHead` needs. */
export const boltHeadBytes = Math.max(...pageSizes) + metaBytes

/** Returns true for the start of a Bolt file, also when one of its two meta pages is damaged. */
export const isBoltHead = (head: Buffer): boolean =>
  [0, ...pageSizes].some((offset) => {
    const at = offset + pageHeaderBytes
    return at + 4 <= head.length && head.readUInt32LE(at) === magic
  })
