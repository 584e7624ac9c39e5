import { formatDate } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { endOf, isAhead, startOf, type LinkFields } from './link-terms.ts'
import styles from './sharing.module.css'

type LinkEffectProps = { readonly fields: LinkFields; readonly name: string }

/** Says in a sentence who can do what with a link of these terms. */
export function LinkEffect({ fields, name }: LinkEffectProps) {
  const endMs = endOf(fields)
  const startMs = startOf(fields)
  const hasPassword = fields.password !== '' || fields.keepsPassword
  const holder = hasPassword ? 'password' : 'link'
  const who = endMs === null ? holder : (`${holder}Until` as const)
  const date = endMs === null ? '' : formatDate(endMs)
  return (
    <output className={styles.effect}>
      {fields.mode === 'view-only'
        ? t(`share.viewEffect.${who}`, { name, date })
        : t(`share.effect.${who}`, { name, date })}{' '}
      {startMs !== null && isAhead(startMs) && t('share.effect.from', { date: formatDate(startMs) })}
    </output>
  )
}
