import { useState } from 'react'
import { Dices, Eye, EyeOff } from 'lucide'
import { t } from '../../i18n/translate.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { generatePassword } from './link-terms.ts'

type LinkPasswordFieldProps = { readonly value: string; readonly onChange: (password: string) => void }

/** Renders the optional password of a link. A generated password is shown, because the user has to pass it on. */
export function LinkPasswordField({ value, onChange }: LinkPasswordFieldProps) {
  const [isShown, setShown] = useState(false)
  return (
    <TextField
      label={t('share.password')}
      type={isShown ? 'text' : 'password'}
      autoComplete="new-password"
      spellCheck={false}
      dir="ltr"
      value={value}
      onChange={({ target }) => onChange(target.value)}
      end={
        <>
          <IconButton
            icon={isShown ? EyeOff : Eye}
            label={t(isShown ? 'login.hidePassword' : 'login.showPassword')}
            aria-pressed={isShown}
            onClick={() => setShown(!isShown)}
          />
          <IconButton
            icon={Dices}
            label={t('share.generate')}
            onClick={() => {
              onChange(generatePassword())
              setShown(true)
            }}
          />
        </>
      }
    />
  )
}
