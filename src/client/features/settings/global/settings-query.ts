import { queryOptions } from '@tanstack/react-query'
import { call, callJson, statusOf } from '../../../api/call.ts'
import type { JsonOf } from '../../../api/call-options.ts'
import { alwaysFresh } from '../users-query.ts'
import { isSame, mergeChanges } from '../../../state/drafts/merge-changes.ts'

/** The settings of the server, as administrators read them. */
export type ServerSettings = JsonOf<'settings.get'>

/** The query for the settings of the server. They are fetched again whenever the screen is opened. */
export const settingsQuery = queryOptions({
  queryKey: ['settings'],
  queryFn: ({ signal }) => callJson('settings.get', { signal }),
  ...alwaysFresh,
})

/** The settings as stored, and the names of the settings that the save has changed. */
export type SavedSettings = { readonly stored: ServerSettings; readonly changed: readonly string[] }

/** The maximum number of attempts to save while other administrators save too. Three saves by hand rarely coincide. */
const mostAttempts = 3

/**
 * Saves the changes of a draft, and keeps the settings that another administrator has changed meanwhile. The server
 * replaces each setting as a whole, so the draft is merged with what is stored now. When somebody else has saved
 * between that read and the save, both are repeated.
 * @throws CallError when the server refuses a value or cannot be reached.
 */
export async function saveSettings(
  base: ServerSettings,
  draft: ServerSettings,
  attemptsLeft: number = mostAttempts,
): Promise<SavedSettings> {
  const response = await call('settings.get')
  // A proxy may have changed the tag, so that it never matches. The last attempt does not depend on it.
  const version = attemptsLeft === 1 ? null : response.headers.get('etag')
  const before = await response.json()
  const merged = mergeChanges(base, draft, before)
  const names = (Object.keys(merged) as (keyof ServerSettings)[]).filter(
    (name) => !isSame(merged[name], before[name]),
  )
  if (names.length === 0) return { stored: before, changed: [] }
  const body = Object.fromEntries(names.map((name) => [name, merged[name]]))
  try {
    await call('settings.update', { body, ...(version !== null && { headers: { 'If-Match': version } }) })
  } catch (thrown) {
    if (statusOf(thrown) !== 412 || version === null) throw thrown
    return saveSettings(base, draft, attemptsLeft - 1)
  }
  // The server completes what it stores. When it cannot be asked now, the merged settings are shown.
  return { stored: await callJson('settings.get').catch(() => merged), changed: names }
}
