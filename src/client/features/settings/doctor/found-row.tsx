import { Copy, OctagonAlert, TriangleAlert } from 'lucide'
import { useId } from 'react'
import {
  proxyFindings,
  type ExplainedProxy,
  type ProxyFindingCode,
} from '../../../../shared/domain/doctor/proxy-findings.ts'
import { t } from '../../../i18n/translate.ts'
import { copyAndNotify } from '../../../operations/copying/copy-and-notify.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import styles from './doctor-page.module.css'

type FoundRowProps = {
  readonly code: ProxyFindingCode
  readonly proxy: ExplainedProxy
  /** The address of a proxy that the server does not trust. */
  readonly peer: string
}

/** Renders a problem with the lines that help. */
export function FoundRow({ code, proxy, peer }: FoundRowProps) {
  const { severity, lines, option } = proxyFindings[code]
  const id = useId()
  const isError = severity === 'error'
  const text = option === undefined ? lines[proxy] : option.replace('ADDRESS', () => peer)
  return (
    <li className={styles.finding}>
      <span className={isError ? styles.error : styles.warning}>
        <Icon icon={isError ? OctagonAlert : TriangleAlert} size={18} />
      </span>
      <div className={styles.details}>
        <h3 id={id} className={styles.heading}>
          {t(`settings.doctor.${code}.title`)}
          <code dir="ltr" className={styles.code}>
            {code}
          </code>
        </h3>
        <p>{t(`settings.doctor.${code}.text`)}</p>
        {option !== undefined && <p>{t('settings.doctor.option')}</p>}
        <div className={styles.lines}>
          <pre dir="ltr" className={styles.text}>
            {text}
          </pre>
          <Button
            kind="quiet"
            icon={Copy}
            className={styles.copy}
            aria-describedby={id}
            onClick={() => void copyAndNotify(text)}
          >
            {t('settings.doctor.copy')}
          </Button>
        </div>
      </div>
    </li>
  )
}
