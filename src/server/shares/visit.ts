import type { downloadPublic, PublicDownloadQuery, showPublic } from '../../shared/contract/shares.ts'
import { isFolder, type Entry } from '../../shared/domain/entry.ts'
import { AppError } from '../../shared/domain/failure.ts'
import { nameOf, root, type Path } from '../../shared/domain/path.ts'
import type { Answer, Asked, ClientFacts } from '../http/route.ts'
import type { Op, Storage } from '../storage/port.ts'
import { openShare, type OpenedShare, type OpenNeeds, type Visit } from './open.ts'

/** An entry to be described to a guest. */
export type Shown = Op & {
  readonly storage: Storage
  readonly entry: Entry
  /** Where it is in the storage. */
  readonly path: Path
  /** What the answer says of it beside what can be told from the entry. */
  readonly says: { readonly path: string; readonly name: string; readonly token?: string }
}

/** A folder to be sent as an archive. */
export type SentFolder = {
  readonly storage: Storage
  readonly path: Path
  /** What the archive is called after; empty for a whole scope. */
  readonly name: string
  readonly query: Pick<PublicDownloadQuery, 'files' | 'algo'>
  readonly signal: AbortSignal
  readonly client: ClientFacts
}
export type VisitNeeds = OpenNeeds & {
  readonly showEntry: (shown: Shown) => Promise<Answer>
  readonly sendFolder: (sent: SentFolder) => Promise<Answer>
}

/** Describes what is shared, or what lies below it. */
export async function show(needs: VisitNeeds, asked: Asked<typeof showPublic>): Promise<Answer> {
  const opened = await openShare(needs, visitOf(asked))
  const { storage, path, token } = opened
  const entry = await entryAt(opened, asked.signal)
  const says = { ...spoken(opened, asked.isFolder), ...(token === null ? {} : { token }) }
  return kept(opened, await needs.showEntry({ storage, entry, path, says, signal: asked.signal }))
}

/** Sends what is shared: a file as it is, a folder as an archive. */
export async function download(needs: VisitNeeds, asked: Asked<typeof downloadPublic>): Promise<Answer> {
  const { query, signal, client } = asked
  const opened = await openShare(needs, visitOf(asked))
  const { storage, path } = opened
  const { name } = spoken(opened, false)
  if (isFolder(await entryAt(opened, signal))) {
    return kept(opened, await needs.sendFolder({ storage, path, name, query, signal, client }))
  }
  const file = await storage.open(path, { signal })
  return kept(opened, { kind: 'file', file, isInline: query.inline === 'true' })
}

type AskedByGuest = Asked<typeof showPublic> | Asked<typeof downloadPublic>

const visitOf = (asked: AskedByGuest): Visit => ({
  path: asked.path,
  token: asked.query.token,
  header: asked.header,
  address: asked.client.address,
  signal: asked.signal,
})

async function entryAt({ storage, path }: OpenedShare, signal: AbortSignal): Promise<Entry> {
  const entry = await storage.stat(path, { signal })
  if (entry.target?.kind === 'missing') throw new AppError('not-found')
  return entry
}

/** A guest's path begins at what is shared, and that has its own name (contract 9.6). */
function spoken({ kind, path, name }: OpenedShare, endsWithSlash: boolean) {
  if (kind === 'file') return { path: '', name }
  if (path === root) return { path, name }
  return { path: endsWithSlash ? `${path}/` : path, name: nameOf(path) }
}

/** What a password guards stays out of every cache. */
const kept = ({ token }: OpenedShare, answer: Answer): Answer =>
  token === null
    ? answer
    : { ...answer, headers: { ...answer.headers, 'cache-control': 'private, no-store' } }
