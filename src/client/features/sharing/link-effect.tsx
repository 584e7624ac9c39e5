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
  const who = hasPassword ? 'password' : 'link'
  const effect = fields.mode === 'view-only' ? 'share.viewEffect' : 'share.effect'
  return (
    <output className={styles.effect}>
      {endMs === null
        ? t(`${effect}.${who}`, { name })
        : t(`${effect}.${who}Until`, { name, date: formatDate(endMs) })}{' '}
      {startMs !== null && isAhead(startMs) && t('share.effect.from', { date: formatDate(startMs) })}
    </output>
  )
}
