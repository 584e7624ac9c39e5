import { useEffect, useMemo, useRef } from 'react'
import { Info } from 'lucide'
import { t } from '../../../i18n/translate.ts'
import { Banner } from '../../../ui/banner.tsx'
import { visibleName } from '../../../ui/visible-name.ts'
import type { TextRenderingProps } from '../text-renderings.ts'
import { PlainText } from '../text/plain-text.tsx'
import { cleanPage } from './clean-page.ts'
import styles from './html.module.css'

/**
 * Shows an HTML document in a frame without any rights: nothing in it runs, its forms and links do nothing, and it asks no
 * server for anything. The text itself is shown in the place of a document that would keep the browser busy.
 */
export function HtmlPage({ name, text }: TextRenderingProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const page = useMemo(() => cleanPage(text), [text])
  useEffect(() => {
    // React would make a text of the object of trusted types.
    if (frame.current !== null && page !== null) frame.current.srcdoc = page
  }, [page])
  if (page === null)
    return (
      <>
        <Banner icon={Info}>{t('viewer.tooComplex')}</Banner>
        <PlainText name={name} text={text} />
      </>
    )
  return <iframe ref={frame} className={styles.frame} sandbox="" title={visibleName(name)} />
}
