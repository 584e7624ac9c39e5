import { settingFields, type ChangeableSettingName } from '../../../../shared/contract/setting-fields.ts'
import { t } from '../../../i18n/translate.ts'
import { isSame } from '../../../state/drafts/merge-changes.ts'
import { fieldsOfGroup } from '../form/setting-search.ts'
import type { ServerSettings } from './settings-query.ts'

/** Returns the labels of the settings that differ, in the order of the screen. Of a group of fields, those of its fields. */
export const changedLabels = (
  names: readonly (ChangeableSettingName & keyof ServerSettings)[],
  base: ServerSettings,
  draft: ServerSettings,
): readonly string[] =>
  names
    .filter((name) => !isSame(base[name], draft[name]))
    .flatMap((name) => {
      const [before, now] = [base[name], draft[name]] as unknown as [
        Readonly<Record<string, unknown>>,
        Readonly<Record<string, unknown>>,
      ]
      const members = fieldsOfGroup(settingFields[name]).filter(
        ([member]) => !isSame(before[member], now[member]),
      )
      return members.length === 0
        ? [t(settingFields[name].texts.label)]
        : members.map(([, { texts }]) => t(texts.label))
    })
