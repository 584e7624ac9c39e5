import styles from './credits.module.css'

type CreditsProps = {
  readonly version: string
  readonly isLinkHidden: boolean
  readonly link?: string
}

/** Renders the name and the version of the program. */
export function Credits({ version, isLinkHidden, link = '' }: CreditsProps) {
  return (
    <p className={styles.credits}>
      {isLinkHidden || link === '' ? (
        <span>Stowage</span>
      ) : (
        <a href={link} target="_blank" rel="noopener noreferrer">
          Stowage
        </a>
      )}
      {version !== '' && <span className="numbers"> {version}</span>}
    </p>
  )
}
