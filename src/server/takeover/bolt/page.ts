import { BoltError } from './bolt-error.ts'

/** An element of a page, with its key and its value as they lie in the file. */
export type PageElement = {
  readonly key: Buffer
  /** The value of a leaf element. Empty on branch pages. */
  readonly value: Buffer
  /** True for the value of a nested bucket. */
  readonly isBucket: boolean
  /** The number of the page below a branch element; 0 on leaf pages. */
  readonly childPage: bigint
}

/** The parsed content of a branch or leaf page. */
export type PageContent = { readonly kind: 'branch' | 'leaf'; readonly elements: readonly PageElement[] }

/** The header of a page. `overflow` is the number of pages after this page that belong to it. */
export type PageHeader = {
  readonly id: bigint
  readonly flags: number
  readonly count: number
  readonly overflow: number
}

export const pageHeaderBytes = 16
const elementBytes = 16
const branchFlag = 0x01
const leafFlag = 0x02
const bucketFlag = 0x01

/** Reads the header of a page. `bytes` must have at least `pageHeaderBytes` bytes. */
export const readPageHeader = (bytes: Buffer): PageHeader => ({
  id: bytes.readBigUInt64LE(0),
  flags: bytes.readUInt16LE(8),
  count: bytes.readUInt16LE(10),
  overflow: bytes.readUInt32LE(12),
})

/**
 * Reads the elements of a page, including its overflow pages. Bolt writes keys and values one after the other without
 * gaps and in the order of the elements, so an element anywhere else is damaged. `where` names the page in messages.
 */
export function readPageContent(bytes: Buffer, where: string): PageContent {
  const { flags, count } = readPageHeader(bytes)
  if (flags !== branchFlag && flags !== leafFlag)
    throw new BoltError('damaged', `is damaged: ${where} is of no known kind`)
  const kind = flags === leafFlag ? 'leaf' : 'branch'
  const elementsEnd = pageHeaderBytes + count * elementBytes
  if (elementsEnd > bytes.length) throw wrongElement(where, 'declares more elements than fit into it')
  if (kind === 'branch' && count === 0) throw wrongElement(where, 'has no children')
  const elements: PageElement[] = []
  let end = elementsEnd
  for (let start = pageHeaderBytes; start < elementsEnd; start += elementBytes) {
    const { element, bytesUsed } = readElement(bytes, { start, end, kind, where })
    elements.push(element)
    end += bytesUsed
  }
  return { kind, elements }
}

type ElementPosition = {
  /** The offset of the element's header. */
  readonly start: number
  /** The offset at which the key must begin. */
  readonly end: number
  readonly kind: PageContent['kind']
  readonly where: string
}

function readElement(bytes: Buffer, { start, end, kind, where }: ElementPosition) {
  const isLeaf = kind === 'leaf'
  const [flags, position, keyBytes, valueBytes] = isLeaf
    ? [0, 4, 8, 12].map((offset) => bytes.readUInt32LE(start + offset))
    : [0, bytes.readUInt32LE(start), bytes.readUInt32LE(start + 4), 0]
  if (flags === undefined || position === undefined || keyBytes === undefined || valueBytes === undefined)
    throw wrongElement(where, 'ends within an element')
  if (flags > bucketFlag) throw wrongElement(where, 'has an element of no known kind')
  if (start + position !== end) throw wrongElement(where, 'has an element in the wrong place')
  if (keyBytes === 0) throw wrongElement(where, 'has an element without a key')
  const bytesUsed = keyBytes + valueBytes
  if (end + bytesUsed > bytes.length) throw wrongElement(where, 'has an element that is larger than the page')
  const element: PageElement = {
    key: bytes.subarray(end, end + keyBytes),
    value: bytes.subarray(end + keyBytes, end + bytesUsed),
    isBucket: isLeaf && flags === bucketFlag,
    childPage: isLeaf ? 0n : bytes.readBigUInt64LE(start + 8),
  }
  return { element, bytesUsed }
}

const wrongElement = (where: string, fault: string): BoltError =>
  new BoltError('damaged', `is damaged: ${where} ${fault}`)
