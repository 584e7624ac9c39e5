import { CircleCheck, Info, TriangleAlert } from 'lucide'
import type { TakeoverStepResource } from '../../../../shared/contract/server.ts'
import { RichText } from '../../../i18n/rich-text.tsx'
import { t } from '../../../i18n/translate.ts'
import { Link } from '../../../router/link.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import styles from './takeover-page.module.css'

/** The command that is typed on the machine of the server. */
const commands = { takeover: 'stowage takeover' } as const

type NextStepsProps = {
  readonly steps: readonly TakeoverStepResource[]
  /** The number of parts of the old database that were not taken over. */
  readonly leftCount: number
  /** The number of folders of users and of shared entries that were missing at the takeover. */
  readonly missingCount: number
}

/**
 * Renders the steps that the administrator still has to take. The server leaves out completed steps. It cannot know whether
 * somebody has replaced the parts that were not taken over, nor whether the missing entries are wanted, so the steps about these
 * stay.
 */
export function NextSteps({ steps, leftCount, missingCount }: NextStepsProps) {
  if (steps.length === 0 && leftCount === 0 && missingCount === 0)
    return (
      <p className={styles.done}>
        <Icon icon={CircleCheck} size={16} />
        {t('settings.takeover.noSteps')}
      </p>
    )
  return (
    <>
      <h2 className={styles.heading}>{t('settings.takeover.steps')}</h2>
      <ul className={styles.steps}>
        {leftCount > 0 && (
          <li className={styles.step}>
            <Icon icon={TriangleAlert} size={16} />
            <p>{t('settings.takeover.step.left', { count: leftCount })}</p>
          </li>
        )}
        {missingCount > 0 && (
          <li className={styles.step}>
            <Icon icon={TriangleAlert} size={16} />
            <p>
              <RichText
                id="settings.takeover.step.missing"
                values={{ count: missingCount, command: <Command text={commands.takeover} /> }}
              />
            </p>
          </li>
        )}
        {steps.map((step) => (
          <li key={`${step.kind} ${step.userId}`} className={styles.step}>
            <Icon icon={Info} size={16} />
            <p>
              <RichText id={`settings.takeover.step.${step.kind}`} values={valuesOf(step)} />
            </p>
          </li>
        ))}
      </ul>
    </>
  )
}

function valuesOf({ user, userId, count, kind }: TakeoverStepResource) {
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
