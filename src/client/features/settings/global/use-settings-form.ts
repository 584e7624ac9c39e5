import { useState } from 'react'
import type { RefusedValue } from '../../../../shared/domain/failure.ts'
import { t } from '../../../i18n/translate.ts'
import { refusedValueOf } from '../../../operations/reason.ts'
import { saveFailureText } from '../failure-text.ts'
import { useSave, type SaveState } from '../use-save.ts'
import type { ServerSettings } from './settings-query.ts'
import type { SettingName, SettingsDraft } from './use-settings-draft.ts'

/** The state of one form that saves some of the settings. */
export type SettingsFormState = Pick<SaveState, 'isBusy' | 'failure'> & {
  readonly isDirty: boolean
  /** The setting that the server refused, or null. */
  readonly refused: RefusedSetting | null
  readonly onSubmit: () => void
}

type RefusedSetting = 'reportIssueURL' | 'userHomeBasePath' | 'rules'

/**
 * Holds the state of the form for the named settings. Saving sends only these settings. Changes in other forms stay
 * unsaved.
 */
export function useSettingsForm(settings: SettingsDraft, names: readonly SettingName[]): SettingsFormState {
  const { draft } = settings
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  const { isBusy, failure, save } = useSave((thrown) => {
    const setting = refusedSettingOf(thrown)
    setRefusal(setting === null ? null : { setting, draft })
    return setting === null ? failureTextOf(thrown) : t('settings.failed.invalid')
  })
  const isDirty = settings.isChanged(names)
  return {
    isBusy,
    isDirty,
    failure: isDirty ? failure : null,
    refused: refusal?.draft === draft ? refusal.setting : null,
    onSubmit: () => {
      setRefusal(null)
      void save(() => settings.save(names))
    },
  }
}

/** A refused setting, and the draft to which the refusal belongs. It says nothing about a draft that was changed since. */
type Refusal = { readonly setting: RefusedSetting; readonly draft: ServerSettings }

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

/** Returns the sentence for a failure that belongs to no setting. */
function failureTextOf(thrown: unknown): string {
  if (refusedValueOf(thrown) === 'share-without-download') return t('settings.users.shareNeedsDownload')
  return saveFailureText(thrown)
}
