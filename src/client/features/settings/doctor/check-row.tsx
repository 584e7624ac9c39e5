import { CircleCheck, CircleDashed, CircleHelp } from 'lucide'
import type { ProxyFindingCode } from '../../../../shared/domain/doctor/proxy-findings.ts'
import { t } from '../../../i18n/translate.ts'
import { Icon } from '../../../ui/icon.tsx'
import { Spinner } from '../../../ui/spinner.tsx'
import styles from './doctor-page.module.css'
import type { Verdict } from './verdicts.ts'

type CheckRowProps = {
  readonly code: ProxyFindingCode
  /** Undefined until it is known. */
  readonly verdict: Verdict | undefined
  readonly isRunning: boolean
}

/** Renders a measurement that found nothing, or that has no result. */
export function CheckRow({ code, verdict, isRunning }: CheckRowProps) {
  const isWaiting = verdict === undefined && isRunning
  const isGood = verdict === 'ok'
  return (
    <li className={styles.check}>
      {isWaiting ? (
        <Spinner />
      ) : (
        <span className={isGood ? styles.good : styles.open}>
          <Icon icon={isGood ? CircleCheck : verdict === undefined ? CircleDashed : CircleHelp} size={16} />
        </span>
      )}
      <span>{t(`settings.doctor.${code}.title`)}</span>
      <span className={styles.state}>
        {t(
          isWaiting
            ? 'settings.doctor.state.running'
            : isGood
              ? 'settings.doctor.state.ok'
              : 'settings.doctor.state.unmeasured',
        )}
      </span>
    </li>
  )
}
