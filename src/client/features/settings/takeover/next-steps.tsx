import type { ReactNode } from 'react'
import type { TakeoverStepResource } from '../../../../shared/contract/server.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import styles from './takeover-page.module.css'

/** Renders the steps that the administrator still has to take. The server leaves out completed steps. */
export function NextSteps({ steps }: { readonly steps: readonly TakeoverStepResource[] }) {
  if (steps.length === 0)
    return (
      <p className={styles.done}>
        <Icon name="check-circle" size={16} />
        {t('settings.takeover.noSteps')}
      </p>
    )
  return (
    <>
      <h3 className={styles.heading}>{t('settings.takeover.steps')}</h3>
      <ul className={styles.steps}>
        {steps.map((step) => (
          <li key={`${step.kind} ${step.userId}`} className={styles.step}>
            <Icon name="info" size={16} />
            <p>
              <RichText id={`settings.takeover.step.${step.kind}`} values={valuesOf(step)} />
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

function valuesOf({ user, userId, count, kind }: TakeoverStepResource): Readonly<Record<string, ReactNode>> {
  const name = (
    <Link to={`/settings/users/${userId}`}>
      <bdi>{visibleName(user)}</bdi>
    </Link>
  )
  return { name, count, command: <Command text={flagOf(kind)} /> }
}

/** Returns the flag of a step about the whole server. */
const flagOf = (kind: TakeoverStepResource['kind']): string =>
  kind === 'name-proxy' ? '--auth.trustedProxies' : '--disableExec=false'

const Command = ({ text }: { readonly text: string }) => (
  <code dir="ltr" className={styles.command}>
    {text}
  </code>
)
