import { visibleName } from '../../../ui/visible-name.ts'
import type { TextFormProps } from '../text-forms.ts'
import styles from './html.module.css'

/**
 * Shows an HTML document in a frame without any rights: its scripts do not run, its forms and links do nothing, and the
 * policy of the page, which the frame inherits, keeps it from loading anything from other servers.
 */
export const HtmlPage = ({ name, text }: TextFormProps) => (
  <iframe className={styles.frame} sandbox="" srcDoc={text} title={visibleName(name)} />
)
