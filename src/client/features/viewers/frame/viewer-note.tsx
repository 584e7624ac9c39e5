import styles from './viewer-note.module.css'

/** Shows a sentence in the place of a part of the content that cannot be shown, such as one page. */
export const ViewerNote = ({ text }: { readonly text: string }) => <p className={styles.note}>{text}</p>
