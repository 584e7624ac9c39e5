import { t } from '../../../i18n/translate.ts'
import { densities, density, type Density } from '../../../state/device/density.ts'
import { letterKeys, signKeys } from '../../../state/device/key-preferences.ts'
import { type Store, useStore } from '../../../state/store.ts'
import { theme, themeChoices, type ThemeChoice } from '../../../state/device/theme.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { SettingsCard } from '../settings-card.tsx'

/** Renders the choices that this browser keeps for itself. They take effect without being saved. */
export function DeviceCard() {
  const chosen = useStore(theme)
  return (
    <SettingsCard title={t('settings.device')} hint={t('settings.device.hint')}>
      <SelectField
        label={t('sidebar.theme')}
        value={chosen}
        onChange={({ target }) => theme.set(target.value as ThemeChoice)}
        options={themeChoices.map((choice) => ({ value: choice, label: t(`sidebar.theme.${choice}`) }))}
      />
      <SelectField
        label={t('settings.density')}
        hint={t('settings.density.hint')}
        value={useStore(density)}
        onChange={({ target }) => density.set(target.value as Density)}
        options={densities.map((choice) => ({ value: choice, label: t(`settings.density.${choice}`) }))}
      />
      <KeySwitch label={t('prompt.help.signKeys')} store={signKeys} />
      <KeySwitch label={t('prompt.help.letterKeys')} store={letterKeys} />
    </SettingsCard>
  )
}

const KeySwitch = ({ label, store }: { readonly label: string; readonly store: Store<'on' | 'off'> }) => (
  <Checkbox
    label={label}
    checked={useStore(store) === 'on'}
    onChange={({ target }) => store.set(target.checked ? 'on' : 'off')}
  />
)
