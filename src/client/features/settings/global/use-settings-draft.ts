import { useState } from 'react'
import { useSuspenseQuery } from '../../../api/use-query.ts'
import { queryClient } from '../../../api/query-client.ts'
import { t } from '../../../i18n/translate.ts'
import { notify } from '../../../state/notices.ts'
import { isSame, mergeChanges } from './merge-changes.ts'
import { saveSettings, settingsQuery, type ServerSettings } from './settings-query.ts'

export type SettingName = keyof ServerSettings

/** The settings as the administrator edits them. */
export type SettingsDraft = {
  readonly draft: ServerSettings
  readonly change: (changes: Partial<ServerSettings>) => void
  /** Returns true when one of the settings differs from what is stored. */
  readonly isChanged: (names: readonly SettingName[]) => boolean
  /**
   * Saves the named settings, and shows a notice when they are saved. What was entered stays in the draft when saving
   * fails.
   * @throws CallError when the server refuses a value or cannot be reached.
   */
  readonly save: (names: readonly SettingName[]) => Promise<void>
}

/** Holds a draft of the settings of the server, which several forms change. */
export function useSettingsDraft(): SettingsDraft {
  const { data } = useSuspenseQuery(settingsQuery)
  const [base, setBase] = useState(data)
  const [draft, setDraft] = useState(data)
  return {
    draft,
    change: (changes) => setDraft((now) => ({ ...now, ...changes })),
    isChanged: (names) => names.some((name) => !isSame(base[name], draft[name])),
    save: async (names) => {
      const sent: ServerSettings = {
        ...base,
        ...Object.fromEntries(names.map((name) => [name, draft[name]])),
      }
      const { stored, changed } = await saveSettings(base, sent)
      setBase(stored)
      // The page may be opened again before the cache has dropped the settings that it loaded.
      queryClient.setQueryData(settingsQuery.queryKey, stored)
      // Values that were entered after the request, and values of other forms, differ from the sent values and are
      // kept.
      setDraft((now) => mergeChanges(sent, now, stored))
      const isOnlyHooks = changed.length === 1 && changed[0] === 'commands'
      notify(t(isOnlyHooks ? 'settings.commandsUpdated' : 'settings.updated'))
    },
  }
}
