import { draftDatabaseOf } from './draft-database.ts'
import type { Path } from '../../../shared/domain/path.ts'

/** A text that was not saved. `etag` is the version of the file on which the text is based. */
export type Draft = {
  readonly path: Path
  /** Distinguishes the drafts of several tabs that edit the same file. */
  readonly id: string
  readonly etag: string | null
  readonly text: string
  readonly savedAtMs: number
}

/** The person whose drafts are read and written, on the server of the base path. */
export type DraftOwner = { readonly base: string; readonly userId: number }

const storeName = 'drafts'

/** Returns the latest draft of a file, or null. Without a database in the browser there are no drafts. */
export async function latestDraft(owner: DraftOwner, path: Path): Promise<Draft | null> {
  const found = await withDrafts<Draft[]>(owner, 'readonly', (store) =>
    store.getAll(IDBKeyRange.bound([path], [path, []])),
  )
  const drafts: readonly Draft[] = found?.value ?? []
  return drafts.reduce<Draft | null>(
    (latest, draft) => (latest === null || draft.savedAtMs > latest.savedAtMs ? draft : latest),
    null,
  )
}

/** Stores a draft. Returns false when the browser refuses, for example because its storage is full. */
export const putDraft = async (owner: DraftOwner, draft: Draft): Promise<boolean> =>
  (await withDrafts(owner, 'readwrite', (store) => store.put(draft))) !== null

export const removeDraft = async (
  owner: DraftOwner,
  { path, id }: Pick<Draft, 'path' | 'id'>,
): Promise<void> => {
  await withDrafts(owner, 'readwrite', (store) => store.delete([path, id]))
}

/**
 * Runs one request on the drafts of a person. The database is closed afterwards, so that a logout can delete it.
 * Returns null when the browser has no database or refuses the request.
 */
async function withDrafts<T>(
  { base, userId }: DraftOwner,
  mode: IDBTransactionMode,
  run: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<{ readonly value: T } | null> {
  let database: IDBDatabase | null = null
  try {
    const opening = indexedDB.open(draftDatabaseOf(base, userId), 1)
    opening.addEventListener('upgradeneeded', () =>
      opening.result.createObjectStore(storeName, { keyPath: ['path', 'id'] }),
    )
    database = await resultOf(opening)
    const transaction = database.transaction(storeName, mode)
    return { value: await resultOf(run(transaction.objectStore(storeName))) }
  } catch {
    return null
  } finally {
    database?.close()
  }
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The database failed.')))
  })
