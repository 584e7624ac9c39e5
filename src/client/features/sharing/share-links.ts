import { queryOptions } from '@tanstack/react-query'
import type { ChangedShare, NewShare, ShareResource } from '../../../shared/contract/shares.ts'
import { childOf, root, type Path } from '../../../shared/domain/path.ts'
import { sharesKey } from '../../api/link-lists.ts'
import { call, callJson, statusOf } from '../../api/call.ts'
import { config } from '../../api/config.ts'
import { queryClient } from '../../api/query-client.ts'

/** The entry that a link leads to, by its path in the scope of the user. */
export type SharedEntry = { readonly path: Path; readonly isFolder: boolean }

/** The query for the links of one entry. */
export const linksOfEntry = ({ path, isFolder }: SharedEntry) =>
  queryOptions({
    queryKey: [...sharesKey, path],
    queryFn: ({ signal }) => callJson('shares.get', { path, isFolder, signal }),
    // Other devices and administrators change links. A prompt that is opened again must not show a deleted link, and must
    // not show the form for the first link where there is one already, so an answer is not kept after the prompt closes.
    staleTime: 0,
    gcTime: 0,
  })

const receivedKey = (hash: string) => ['received', hash] as const

/** The interval in milliseconds at which an open list of received files is fetched again, to show how files arrive. */
const receivedRefreshMs = 2000

/** The query for the files that guests have sent through a link, and for those that they are sending. */
export const receivedFilesQuery = (hash: string) =>
  queryOptions({
    queryKey: receivedKey(hash),
    refetchInterval: receivedRefreshMs,
    queryFn: ({ signal }) => callJson('shares.received', { path: childOf(root, hash) ?? root, signal }),
    staleTime: 0,
  })

/** The query for the names of all users by their ids, which only administrators may send. */
export const ownerNames = queryOptions({
  queryKey: ['users', 'names'],
  queryFn: async ({ signal }) =>
    new Map((await callJson('users.list', { signal })).map(({ id, username }) => [id, username])),
})

/**
 * Creates a link to an entry and returns it.
 * @throws CallError when the server refuses it or cannot be reached.
 */
export async function createLink({ path, isFolder }: SharedEntry, terms: NewShare): Promise<ShareResource> {
  const link = await callJson('shares.create', { path, isFolder, body: terms })
  await queryClient.invalidateQueries({ queryKey: sharesKey })
  return link
}

/**
 * Changes a link. Its address stays.
 * @throws CallError when the server refuses it or cannot be reached.
 */
export async function changeLink(hash: string, changes: ChangedShare): Promise<void> {
  const path = childOf(root, hash)
  if (path === null) return
  await callJson('shares.update', { path, body: changes })
  await queryClient.invalidateQueries({ queryKey: sharesKey })
}

/**
 * Deletes a link for good. A link that is gone already counts as deleted.
 * @throws CallError when the server refuses it or cannot be reached.
 */
export async function deleteLink(hash: string): Promise<void> {
  const path = childOf(root, hash)
  if (path === null) return
  try {
    await call('shares.remove', { path })
  } catch (thrown) {
    if (statusOf(thrown) !== 404) throw thrown
  }
  await queryClient.invalidateQueries({ queryKey: sharesKey })
}

/**
 * Ends the upload of a guest. An upload that has ended already counts as ended.
 * @throws CallError when the server refuses it or cannot be reached.
 */
export async function endReception(hash: string, id: string): Promise<void> {
  const path = childOf(childOf(root, hash) ?? root, id)
  if (path === null) return
  try {
    await call('shares.end-reception', { path })
  } catch (thrown) {
    if (statusOf(thrown) !== 404) throw thrown
  }
  await queryClient.invalidateQueries({ queryKey: receivedKey(hash) })
}

/** Returns the URL that guests open: the origin, the base path, `/share/`, and the alias or else the hash (specification 2). */
export const urlOfLink = ({ hash, alias = hash }: Pick<ShareResource, 'hash' | 'alias'>): string =>
  `${location.origin}${config().BaseURL}/share/${alias}`
