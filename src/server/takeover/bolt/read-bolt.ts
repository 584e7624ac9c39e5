import { BoltError } from './bolt-error.ts'
import { readMeta, type BoltMeta } from './meta-page.ts'
import {
  pageHeaderBytes,
  readPageContent,
  readPageHeader,
  type PageContent,
  type PageElement,
} from './page.ts'

/** A bucket: its entries by their keys, which are byte strings in the encoding latin1, in the order of the file. */
export type BoltBucket = {
  readonly values: ReadonlyMap<string, Buffer>
  readonly buckets: ReadonlyMap<string, BoltBucket>
}

/**
 * The largest file that is read. The reader holds the whole file in memory, and a database of File Browser with ten
 * thousand users and shares has about 20 MB.
 */
export const maxBoltFileBytes = 512 * 1024 * 1024

/**
 * The maximum number of entries, which bounds the memory for their keys. A user or a share has more than 200 bytes, so
 * a file below the limit of size holds no more of them.
 */
const maxEntries = 2_000_000

/**
 * The maximum number of pages and buckets above an entry. File Browser's files have two buckets, and a tree of Bolt
 * with two thousand million entries has six levels.
 */
const maxDepth = 32

/** The length of the header of a nested bucket's value: its first page, and a counter that the reader does not need. */
const bucketHeaderBytes = 16

type FileReader = {
  readonly file: Buffer
  readonly meta: BoltMeta
  /** The pages that were read, because a page belongs to one place of the tree only. */
  readonly visitedPages: Set<number>
  entries: number
}

/**
 * Reads a whole Bolt file from a copy in memory. The work and the memory are bounded by the size of the file, whatever
 * the file contains. Throws a `BoltError` for a file that is foreign, damaged, truncated or too large.
 */
export function readBolt(file: Buffer): BoltBucket {
  if (file.length > maxBoltFileBytes) throw new BoltError('too-large', 'is larger than 512 MiB')
  const meta = readMeta(file)
  if (meta.pageCount * meta.pageBytes > file.length)
    throw new BoltError('truncated', `is cut off: it should have ${meta.pageCount} pages`)
  const reader: FileReader = { file, meta, visitedPages: new Set(), entries: 0 }
  return readBucket(reader, BigInt(meta.rootPage), 0)
}

type OpenBucket = {
  readonly values: Map<string, Buffer>
  readonly buckets: Map<string, BoltBucket>
  /** The key of the entry that was read last. All later keys of the bucket are greater. */
  lastKey: Buffer | null
}

function readBucket(reader: FileReader, firstPage: bigint, depth: number): BoltBucket {
  const bucket: OpenBucket = { values: new Map(), buckets: new Map(), lastKey: null }
  readSubtree(reader, bucket, { pageNumber: firstPage, depth })
  return bucket
}

type PagePosition = { readonly pageNumber: bigint; readonly depth: number }

function readSubtree(reader: FileReader, bucket: OpenBucket, { pageNumber, depth }: PagePosition): void {
  if (depth > maxDepth) throw new BoltError('damaged', `is damaged: its pages are nested too deeply`)
  const { kind, elements } = readPage(reader, pageNumber)
  for (const element of elements) {
    if (kind === 'leaf') addEntry(reader, bucket, { element, depth })
    else readSubtree(reader, bucket, { pageNumber: element.childPage, depth: depth + 1 })
  }
}

/** Reads a page with its overflow pages. Every page of the file can be read once. */
function readPage({ file, meta, visitedPages }: FileReader, number: bigint): PageContent {
  const { pageBytes, pageCount } = meta
  const where = `page ${number}`
  // The pages 0 and 1 are the meta pages.
  if (number < 2n || number >= BigInt(pageCount))
    throw new BoltError('damaged', `is damaged: it refers to ${where}, which does not exist`)
  const first = Number(number)
  const { id, overflow } = readPageHeader(file.subarray(first * pageBytes))
  if (id !== number) throw new BoltError('damaged', `is damaged: ${where} has another number`)
  const end = first + overflow + 1
  if (end > pageCount) throw new BoltError('damaged', `is damaged: ${where} is longer than the file`)
  for (let page = first; page < end; page += 1) {
    if (visitedPages.has(page)) throw new BoltError('damaged', `is damaged: page ${page} is used twice`)
    visitedPages.add(page)
  }
  return readPageContent(file.subarray(first * pageBytes, end * pageBytes), where)
}

function addEntry(
  reader: FileReader,
  bucket: OpenBucket,
  { element, depth }: { readonly element: PageElement; readonly depth: number },
): void {
  const { key, value, isBucket } = element
  reader.entries += 1
  if (reader.entries > maxEntries) throw new BoltError('too-large', `has more than ${maxEntries} entries`)
  if (bucket.lastKey !== null && Buffer.compare(bucket.lastKey, key) >= 0)
    throw new BoltError('damaged', 'is damaged: its keys are not in order')
  bucket.lastKey = key
  const name = key.toString('latin1')
  if (isBucket) bucket.buckets.set(name, readNestedBucket(reader, value, depth + 1))
  else bucket.values.set(name, value)
}

/** Reads a nested bucket. A small bucket has no page of its own: its only page is inline, as a part of the value. */
function readNestedBucket(reader: FileReader, value: Buffer, depth: number): BoltBucket {
  if (value.length < bucketHeaderBytes)
    throw new BoltError('damaged', 'is damaged: a nested bucket has no header')
  const firstPage = value.readBigUInt64LE(0)
  if (firstPage !== 0n) return readBucket(reader, firstPage, depth)
  const page = value.subarray(bucketHeaderBytes)
  if (page.length < pageHeaderBytes)
    throw new BoltError('damaged', 'is damaged: an inline bucket has no page')
  const { kind, elements } = readPageContent(page, 'an inline bucket')
  if (kind !== 'leaf' || elements.some(({ isBucket }) => isBucket))
    throw new BoltError('damaged', 'is damaged: an inline bucket has pages below it')
  const bucket: OpenBucket = { values: new Map(), buckets: new Map(), lastKey: null }
  for (const element of elements) addEntry(reader, bucket, { element, depth })
  return bucket
}
