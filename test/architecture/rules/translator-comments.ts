import { placeholdersOf, type CatalogueMessage } from '../../../scripts/texts/catalogue.ts'

/**
 * Finds messages of the English catalogue that a translator cannot place: outside of a section, whose heading says where
 * its messages appear, and with values that no comment explains. PO editors show comments beside each message.
 */
export const commentFaults = (messages: readonly CatalogueMessage[]): string[] =>
  messages.flatMap((message) => faultsOf(message).map((fault) => `${message.id} ${fault}`))

function faultsOf({ english, comments, section }: CatalogueMessage): string[] {
  const values = [...placeholdersOf(english).keys()]
  const explained = comments.flatMap((comment) => [...comment.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))
  return [
    ...(section === null ? ['stands in no section'] : []),
    ...values.filter((name) => !explained.includes(name)).map((name) => `has no comment about {${name}}`),
    ...explained
      .filter((name) => name !== undefined && !values.includes(name))
      .map((name) => `has a comment about {${name}}, which is not a value`),
  ]
}
