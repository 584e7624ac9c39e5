/** The buckets and values of a Bolt file. Keys are byte strings in the encoding latin1. */
export type BoltTree = { readonly [key: string]: string | Buffer | BoltTree }

type BoltFileOptions = {
  readonly pageBytes?: number
  /** The number of elements per page. A small number makes a tree with many levels. */
  readonly elementsPerPage?: number
}

type LeafElement = { readonly key: Buffer; readonly value: Buffer; readonly isBucket: boolean }
type BranchElement = { readonly key: Buffer; readonly page: number }

/** Creates a Bolt file as Bolt itself writes it, with inline buckets, overflow pages and two meta pages. */
export function boltFile(
  tree: BoltTree,
  { pageBytes = 4096, elementsPerPage = 20 }: BoltFileOptions = {},
): Buffer {
  const pages: Buffer[] = [Buffer.alloc(pageBytes), Buffer.alloc(pageBytes), pageOf(16, [], 2)]
  pages[2] = padded(pages[2]!, pageBytes)
  let pageCount = 3

  function addPage(kind: 1 | 2, parts: (number: number) => Buffer): number {
    const number = pageCount
    const page = padded(parts(number), pageBytes)
    page.writeUInt32LE(page.length / pageBytes - 1, 12)
    page.writeUInt16LE(kind, 8)
    pages.push(page)
    pageCount += page.length / pageBytes
    return number
  }

  function addBucket(bucket: BoltTree): Buffer {
    const elements = elementsOf(bucket)
    const inline = leafPage(elements, 0)
    const header = Buffer.alloc(16)
    if (inline.length < pageBytes / 4 && elements.every(({ isBucket }) => !isBucket))
      return Buffer.concat([header, inline])
    header.writeBigUInt64LE(BigInt(addTree(elements)))
    return header
  }

  const elementsOf = (bucket: BoltTree): LeafElement[] =>
    Object.entries(bucket)
      .map(([key, value]) => ({
        key: Buffer.from(key, 'latin1'),
        value:
          typeof value === 'string' ? Buffer.from(value) : Buffer.isBuffer(value) ? value : addBucket(value),
        isBucket: typeof value !== 'string' && !Buffer.isBuffer(value),
      }))
      .toSorted((a, b) => Buffer.compare(a.key, b.key))

  function addTree(elements: readonly LeafElement[]): number {
    let children: BranchElement[] = chunksOf(elements, elementsPerPage).map((chunk) => ({
      key: chunk[0]?.key ?? Buffer.alloc(0),
      page: addPage(2, (number) => leafPage(chunk, number)),
    }))
    while (children.length > 1)
      children = chunksOf(children, elementsPerPage).map((chunk) => ({
        key: chunk[0]!.key,
        page: addPage(1, (number) => branchPage(chunk, number)),
      }))
    return children[0]!.page
  }

  const rootPage = addTree(elementsOf(tree))
  for (const id of [0, 1]) pages[id] = metaPage({ id, pageBytes, rootPage, pageCount })
  return Buffer.concat(pages)
}

function chunksOf<T>(items: readonly T[], size: number): T[][] {
  const chunks: T[][] = []
  for (let at = 0; at === 0 || at < items.length; at += size) chunks.push(items.slice(at, at + size))
  return chunks
}

/** Joins the header of a page, the headers of its elements, and their content. */
function pageOf(
  flags: number,
  elements: readonly (readonly [header: Buffer, content: Buffer])[],
  id: number,
): Buffer {
  const header = Buffer.alloc(16)
  header.writeBigUInt64LE(BigInt(id), 0)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(elements.length, 10)
  return Buffer.concat([header, ...elements.map(([head]) => head), ...elements.map(([, content]) => content)])
}

function leafPage(elements: readonly LeafElement[], id: number): Buffer {
  let position = elements.length * 16
  const parts = elements.map(({ key, value, isBucket }) => {
    const head = Buffer.alloc(16)
    for (const [at, field] of [isBucket ? 1 : 0, position, key.length, value.length].entries())
      head.writeUInt32LE(field, at * 4)
    position += key.length + value.length - 16
    return [head, Buffer.concat([key, value])] as const
  })
  return pageOf(2, parts, id)
}

function branchPage(children: readonly BranchElement[], id: number): Buffer {
  let position = children.length * 16
  const parts = children.map(({ key, page }) => {
    const head = Buffer.alloc(16)
    head.writeUInt32LE(position, 0)
    head.writeUInt32LE(key.length, 4)
    head.writeBigUInt64LE(BigInt(page), 8)
    position += key.length - 16
    return [head, key] as const
  })
  return pageOf(1, parts, id)
}

type MetaValues = {
  readonly id: number
  readonly pageBytes: number
  readonly rootPage: number
  readonly pageCount: number
  readonly version?: number
}

/** Creates a meta page with a valid checksum. The page 1 belongs to the newer transaction. */
export function metaPage({ id, pageBytes, rootPage, pageCount, version = 2 }: MetaValues): Buffer {
  const page = padded(pageOf(4, [], id), pageBytes)
  for (const [at, field] of [0xed0cdaed, version, pageBytes, 0].entries())
    page.writeUInt32LE(field, 16 + at * 4)
  for (const [at, field] of [rootPage, 0, 2, pageCount, 7 + id].entries())
    page.writeBigUInt64LE(BigInt(field), 32 + at * 8)
  let hash = 0xcbf29ce484222325n
  for (const byte of page.subarray(16, 72)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n)
  page.writeBigUInt64LE(hash, 72)
  return page
}

function padded(page: Buffer, pageBytes: number): Buffer {
  return Buffer.concat([page], Math.ceil(page.length / pageBytes) * pageBytes)
}
