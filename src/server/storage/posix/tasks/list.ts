import { nameOf } from '../../../../shared/domain/path.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { Entry } from '../../../../shared/domain/entry.ts'
import type { Order } from '../../../../shared/domain/sorting.ts'
import { hold, opening, reopen } from '../calls/descriptors.ts'
import { createPacker, type Packer } from '../calls/packed-names.ts'
import { entryOf } from '../facts.ts'
import { rankByFacts, rankByName } from '../listing/ranking.ts'
import type { Ranking } from '../listing/ranking.ts'
import type { Rows, SentPage } from '../listing/rows.ts'
import { buffersOf, emptyColumns, fillTargets, pageOf, statRows } from '../listing/rows.ts'
import { whatIsSeen } from '../listing/seen.ts'
import { statTogether } from '../listing/stat-together.ts'
import { findFolder } from '../resolve.ts'
import type { Found, Scene } from '../resolve.ts'
import { stat } from './look.ts'

export type List = { readonly path: Path; readonly order: Order; readonly sniffs: boolean }

/** The first thing that is sent; pages follow. Of a small folder it is all. */
export type SentHead = {
  readonly folder: Entry
  readonly total: number
  readonly folders: number
  readonly page: SentPage
}

/** The first page is small, so that it comes soon. */
const firstRows = 256
const pageRows = 4096

/** In larger folders each page is looked at when its turn comes, so that the second one does not wait for the last. */
const mostAtOnce = 200_000

/** Room for names costs more to make than a small folder to read. None is used by two at once, or while another thread may look. */
const spare: Packer[] = []
const mostSpare = 16

export async function list(scene: Scene, asked: List): Promise<SentHead | undefined> {
  const packer = spare.pop() ?? createPacker(true)
  const head = await listInto(packer, scene, asked)
  if (head !== undefined && spare.length < mostSpare) spare.push(packer)
  return head
}

/** Undefined where it was sent, with all pages: the folder is large. */
async function listInto(
  packer: Packer,
  scene: Scene,
  { path, order, sniffs }: List,
): Promise<SentHead | undefined> {
  using found = await findFolder(scene, path)
  using folder = hold(reopen(found.descriptor, opening.folder))
  const names = scene.calls.readNames(folder.descriptor, packer)
  scene.link.check()
  const looking = { folder: folder.descriptor, found, path, names }
  const seen = await whatIsSeen(scene, looking)
  const rows: Rows = { looking, seen, columns: emptyColumns(names.count), sniffs }
  const sending = order.by === 'name' ? byName(rows, order) : byFacts(scene, rows, order)
  const { ranking } = sending
  const page = await nextPage(scene, sending, { from: 0, end: Math.min(firstRows, ranking.count) })
  const head: SentHead = {
    folder: await entryOfFolder(scene, path, found),
    total: ranking.count,
    folders: seen.folders.length,
    page,
  }
  if (names.count <= firstRows) return head
  await scene.link.emit(head, buffersOf(page))
  const isAtOnce = ranking.count <= mostAtOnce
  if (isAtOnce && !sending.isKnown) statAll(scene, rows)
  for (let from = firstRows; from < ranking.count; from += pageRows) {
    const range = { from, end: Math.min(from + pageRows, ranking.count) }
    const next = await nextPage(scene, { ...sending, isKnown: sending.isKnown || isAtOnce }, range)
    await scene.link.emit(next, buffersOf(next))
  }
  return undefined
}

/** Where links were crossed, the last name may be one. */
const entryOfFolder = async (scene: Scene, path: Path, found: Found): Promise<Entry> =>
  found.path === path ? entryOf(nameOf(path), found.facts) : stat(scene, { path })

/** `isKnown`: the facts of all entries are there already. */
type Sending = { readonly rows: Rows; readonly ranking: Ranking; readonly isKnown: boolean }

const byName = (rows: Rows, order: Order): Sending => ({
  rows,
  ranking: rankByName(rows.looking.names, rows.seen, order),
  isKnown: false,
})

function byFacts(scene: Scene, rows: Rows, order: Order): Sending {
  statAll(scene, rows)
  const { seen, columns, looking } = rows
  return { rows, ranking: rankByFacts({ names: looking.names, columns, seen }, order), isKnown: true }
}

type Range = { readonly from: number; readonly end: number }

async function nextPage(
  scene: Scene,
  { rows, ranking, isKnown }: Sending,
  { from, end }: Range,
): Promise<SentPage> {
  const indices = ranking.take(from, end)
  if (!isKnown) statRows(scene, rows, indices)
  return pageOf(scene, rows, indices)
}

/** In the order of the disk, which the kernel's caches are in, too: faster than in any other. */
function statAll(scene: Scene, rows: Rows): void {
  const { looking, columns, seen } = rows
  const { folder, names } = looking
  statTogether(scene, { folder, names, columns, members: [seen.folders, seen.others] })
  fillTargets(rows)
}
