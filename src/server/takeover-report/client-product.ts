/** The maximum length of a product in characters. Longer names are cut off. */
const maxProductLength = 40

/** The number of characters of a header that are read. The headers of browsers have about 150. */
const readCharacters = 500

/**
 * The products of browsers, in order of precedence. Browsers also name the browsers that they imitate: Edge names
 * Chrome, and Chrome names Safari.
 */
const browsers = ['Edg', 'OPR', 'Vivaldi', 'Firefox', 'FxiOS', 'CriOS', 'Chrome', 'Safari']

/**
 * Returns the product in a `User-Agent` header with its major version, such as `curl/8`. Only letters, digits and
 * the characters `.`, `_`, `+` and `-` remain, so that a hostile header is harmless wherever the product is shown. The
 * result is empty when no character remains.
 */
export function clientProduct(userAgent: string): string {
  const products = productsIn(userAgent.slice(0, readCharacters))
  const browser = browsers.map((name) => products.find((product) => product.name === name)).find(Boolean)
  const product = browser ?? products.find(({ name }) => name !== 'Mozilla') ?? products[0]
  if (product === undefined) return ''
  const version = product.name === 'Safari' ? (versionOf(products, 'Version') ?? '') : product.version
  return (version === '' ? product.name : `${product.name}/${version}`).slice(0, maxProductLength)
}

type Product = { readonly name: string; readonly version: string }

/** Returns the products of a header in their order. Comments in parentheses are left out. */
const productsIn = (userAgent: string): readonly Product[] =>
  withoutComments(userAgent)
    .split(/\s+/)
    .map((word) => {
      const [name = '', version = ''] = word.split('/', 2)
      return {
        name: name.replaceAll(/[^A-Za-z0-9._+-]/g, '').slice(0, maxProductLength),
        version: /^\d{1,6}/.exec(version)?.[0] ?? '',
      }
    })
    .filter(({ name }) => /[A-Za-z0-9]/.test(name))

/** Removes comments, which may contain other comments, in one pass over the text. */
function withoutComments(text: string): string {
  let [depth, outside] = [0, '']
  for (const character of text) {
    if (character === '(') depth += 1
    else if (character === ')') depth = Math.max(0, depth - 1)
    else if (depth === 0) outside += character
  }
  return outside
}

const versionOf = (products: readonly Product[], name: string): string | undefined =>
  products.find((product) => product.name === name)?.version
