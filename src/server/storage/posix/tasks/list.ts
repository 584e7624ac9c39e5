import { nameOf } from '../../../../shared/domain/path.ts'
import type { Path } from '../../../../shared/domain/path.ts'
import type { Entry } from '../../../../shared/domain/entry.ts'
import type { Order } from '../../../../shared/domain/sorting.ts'
import { hold, opening, reopen } from '../calls/descriptors.ts'
import { entryOf } from '../facts.ts'
import { rankByFacts, rankByName } from '../listing/ranking.ts'
import type { Ranking } from '../listing/ranking.ts'
import type { Rows, SentPage } from '../listing/rows.ts'
import { buffersOf, emptyColumns, pageOf, statRows } from '../listing/rows.ts'
import { whatIsSeen } from '../listing/seen.ts'
import { findFolder } from '../resolve.ts'
import type { Scene } from '../resolve.ts'

export type List = { readonly path: Path; readonly order: Order; readonly sniffs: boolean }

/** The first thing that is sent; pages follow. */
export type SentHead = {
  readonly folder: Entry
  readonly total: number
  readonly folders: number
  readonly page: SentPage
}

/** The first page is small, so that it comes soon. */
const firstRows = 256
const pageRows = 4096

export async function list(scene: Scene, { path, order, sniffs }: List): Promise<void> {
  using found = await findFolder(scene, path)
  using folder = hold(reopen(found.descriptor, opening.folder))
  const names = scene.calls.readNames(folder.descriptor)
  scene.link.check()
  const looking = { folder: folder.descriptor, found, path, names }
  const seen = await whatIsSeen(scene, looking)
  const rows: Rows = { looking, seen, columns: emptyColumns(names.count), sniffs }
  const isByName = order.by === 'name'
  const ranking = isByName ? rankByName(names, seen, order) : rankAfterStat(scene, rows, order)
  const page = await nextPage(scene, { rows, ranking, isByName }, 0)
  const head: SentHead = {
    folder: entryOf(nameOf(path), found.facts),
    total: ranking.count,
    folders: seen.folders.length,
    page,
  }
  await scene.link.emit(head, buffersOf(page))
  for (let from = firstRows; from < ranking.count; from += pageRows) {
    const next = await nextPage(scene, { rows, ranking, isByName }, from)
    await scene.link.emit(next, buffersOf(next))
  }
}

type Sending = { readonly rows: Rows; readonly ranking: Ranking; readonly isByName: boolean }

async function nextPage(scene: Scene, { rows, ranking, isByName }: Sending, from: number): Promise<SentPage> {
  const end = Math.min(ranking.count, from === 0 ? firstRows : from + pageRows)
  const indices = ranking.take(from, end)
  if (isByName) statRows(scene, rows, indices)
  return pageOf(scene, rows, indices)
}

function rankAfterStat(scene: Scene, rows: Rows, order: Order): Ranking {
  const { seen, columns, looking } = rows
  for (const members of [seen.folders, seen.others]) {
    for (let from = 0; from < members.length; from += pageRows) {
      scene.link.check()
      statRows(scene, rows, members.subarray(from, from + pageRows))
    }
  }
  return rankByFacts({ names: looking.names, columns, seen }, order)
}
