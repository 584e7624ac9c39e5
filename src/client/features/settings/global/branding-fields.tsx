import type { BrandingSettings } from '../../../../shared/contract/setting-fields.ts'
import { t } from '../../../i18n/translate.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { isFrameColor } from './frame-color.ts'
import type { SettingsDraft } from './use-settings-draft.ts'
import type { SettingsFormState } from './use-settings-form.ts'

type BrandingFieldsProps = {
  readonly settings: Pick<SettingsDraft, 'draft' | 'change'>
  readonly refused: SettingsFormState['refused']
}

/** Renders the look of the installation. An empty theme means the light one (specification 3). */
export function BrandingFields({ settings: { draft, change }, refused }: BrandingFieldsProps) {
  const { branding } = draft
  const isColor = isFrameColor(branding.color)
  const set = (changes: Partial<BrandingSettings>): void => change({ branding: { ...branding, ...changes } })
  return (
    <>
      <Checkbox
        label={t('settings.disableExternal')}
        checked={branding.disableExternal}
        onChange={({ target }) => set({ disableExternal: target.checked })}
      />
      <Checkbox
        label={t('settings.disableUsedPercentage')}
        checked={branding.disableUsedPercentage}
        onChange={({ target }) => set({ disableUsedPercentage: target.checked })}
      />
      <SelectField
        label={t('settings.theme')}
        value={branding.theme === 'dark' ? 'dark' : ''}
        options={[
          { value: '', label: t('sidebar.theme.light') },
          { value: 'dark', label: t('sidebar.theme.dark') },
        ]}
        onChange={({ target }) => set({ theme: target.value === 'dark' ? 'dark' : '' })}
      />
      <TextField
        label={t('settings.name')}
        value={branding.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <TextField
        label={t('settings.files')}
        value={branding.files}
        dir="ltr"
        spellCheck={false}
        onChange={({ target }) => set({ files: target.value })}
      />
      <TextField
        label={t('settings.color')}
        value={branding.color}
        placeholder={t('settings.color.example')}
        error={isColor ? null : t('settings.failed.color')}
        {...(!isColor && { 'data-unsendable': '' })}
        dir="ltr"
        spellCheck={false}
        onChange={({ target }) => set({ color: target.value })}
      />
      <TextField
        label={t('settings.reportIssueURL')}
        type="url"
        dir="ltr"
        value={branding.reportIssueURL}
        placeholder={t('settings.reportIssueURL.example')}
        error={refused === 'reportIssueURL' ? t('settings.failed.link') : null}
        onChange={({ target }) => set({ reportIssueURL: target.value })}
      />
    </>
  )
}
