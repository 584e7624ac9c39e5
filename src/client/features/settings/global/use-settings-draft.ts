import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RefusedValue } from '../../../../shared/domain/failure.ts'
import { CallError } from '../../../api/call.ts'
import { queryClient } from '../../../api/query-client.ts'
import { t } from '../../../i18n/translate.ts'
import { refusedValueOf } from '../../../operations/reason.ts'
import { tell } from '../../../state/notices.ts'
import { saveFailureText } from '../failure-text.ts'
import { useSave, type SaveState } from '../use-save.ts'
import { isSame, mergeChanges } from './merge-changes.ts'
import { saveSettings, settingsQuery, type ServerSettings } from './settings-query.ts'

/** The settings as the administrator edits them. */
export type SettingsDraft = Pick<SaveState, 'isBusy' | 'failure'> & {
  readonly draft: ServerSettings
  readonly change: (changes: Partial<ServerSettings>) => void
  /** Returns true when one of the settings differs from what is stored. */
  readonly isChanged: (names: readonly (keyof ServerSettings)[]) => boolean
  /** The setting that the server refused, or null. */
  readonly refused: RefusedSetting | null
  readonly save: () => Promise<void>
}

type RefusedSetting = 'reportIssueURL' | 'userHomeBasePath' | 'rules'

/** Holds a draft of the settings of the server. What was entered stays in the draft when saving fails. */
export function useSettingsDraft(): SettingsDraft {
  const { data } = useSuspenseQuery(settingsQuery)
  const [base, setBase] = useState(data)
  const [draft, setDraft] = useState(data)
  const [refused, setRefused] = useState<RefusedSetting | null>(null)
  const { isBusy, failure, save } = useSave((thrown) => {
    const setting = refusedSettingOf(thrown)
    setRefused(setting)
    if (setting !== null) return t('settings.failed.invalid')
    if (refusedValueOf(thrown) === 'share-without-download') return t('settings.users.shareNeedsDownload')
    const reason = reasonOf(thrown)
    return reason === null ? saveFailureText(thrown) : t('settings.failed.refused', { reason })
  })
  return {
    draft,
    isBusy,
    failure,
    refused,
    change: (changes) => {
      setRefused(null)
      setDraft((now) => ({ ...now, ...changes }))
    },
    isChanged: (names) => names.some((name) => !isSame(base[name], draft[name])),
    save: async () => {
      setRefused(null)
      await save(async () => {
        const { stored, changed } = await saveSettings(base, draft)
        setBase(stored)
        // The page may be opened again before the cache has dropped the settings that it loaded.
        queryClient.setQueryData(settingsQuery.queryKey, stored)
        setDraft((now) => mergeChanges(draft, now, stored))
        const isOnlyHooks = changed.length === 1 && changed[0] === 'commands'
        tell(t(isOnlyHooks ? 'settings.commandsUpdated' : 'settings.updated'))
      })
    },
  }
}

const settingsOfValues: Partial<Readonly<Record<RefusedValue, RefusedSetting>>> = {
  'home-folder': 'userHomeBasePath',
  'report-url': 'reportIssueURL',
  rules: 'rules',
}

/** Returns the setting that the server refused, or null for any other failure. */
function refusedSettingOf(thrown: unknown): RefusedSetting | null {
  const value = refusedValueOf(thrown)
  return value === null ? null : (settingsOfValues[value] ?? null)
}

/** Returns the reason that the server gives for status 400, or null. It is in brackets behind the status. */
const reasonOf = (thrown: unknown): string | null =>
  thrown instanceof CallError && thrown.status === 400 ? (/\((.+)\)/.exec(thrown.text)?.[1] ?? null) : null
