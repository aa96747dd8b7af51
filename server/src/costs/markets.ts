/**
 * Markets of Meta's rate cards: countries, and regions for all countries without a row of their own. Regions are those of Meta's
 * page "Country calling codes and regional rate mapping"; an imported file of that mapping takes the place of this table.
 */
const regionCountries = {
  'North America': 'CA US',
  'Rest of Africa':
    'AO BF BI BJ BW CD CG CI CM DZ ER ET GA GH GM GW KE LR LS LY MA MG ML MR MW MZ NA NE RW SD SL SN SO SS SZ TD TG TN TZ UG ZM',
  'Rest of Asia Pacific': 'AF AU BD CN HK JP KH LA LK MN NP NZ PG PH SG TH TJ TM TW UZ VN',
  'Rest of Central & Eastern Europe': 'AL AM AZ BG BY CZ GE GR HR HU LT LV MD MK PL RO RS SI SK UA',
  'Rest of Latin America': 'BO CR DO EC GT HN HT JM NI PA PR PY SV UY VE',
  'Rest of Middle East': 'BH IQ JO KW LB OM QA YE',
  'Rest of Western Europe': 'AT BE CH DK FI IE NO PT SE',
} as const

export const otherMarket = 'Other'
export const regionNames: readonly string[] = [...Object.keys(regionCountries), otherMarket]

const regions: ReadonlyMap<string, string> = new Map(
  Object.entries(regionCountries).flatMap(([region, codes]) => codes.split(' ').map((code) => [code, region] as const)),
)

/** The region of a country without a row of its own. */
export function regionOf(country: string): string {
  return regions.get(country) ?? otherMarket
}

/** Names that Meta's files use beside those of the Unicode data. */
const otherNames: Readonly<Record<string, string>> = {
  turkey: 'TR',
  turkiye: 'TR',
  hongkong: 'HK',
  macedonia: 'MK',
  swaziland: 'SZ',
  ivorycoast: 'CI',
  czechrepublic: 'CZ',
  republicofthecongo: 'CG',
  unitedstatesofamerica: 'US',
  usa: 'US',
  uae: 'AE',
  uk: 'GB',
  russianfederation: 'RU',
  southkorea: 'KR',
}

/** Without case, accents, spaces and marks: `Central & Eastern` is the same with `and`. */
export function plain(name: string): string {
  const letters = name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return letters.replaceAll('&', 'and').replace(/[^a-z0-9]/g, '')
}

let markets: ReadonlyMap<string, string> | null = null

function knownMarkets(): ReadonlyMap<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
  const countries = letters.flatMap((first) =>
    letters.flatMap((second): [string, string][] => {
      const code = `${first}${second}`
      const name = code === 'ZZ' ? undefined : names.of(code)
      return name === undefined ? [] : [[plain(name), code]]
    }),
  )
  const named = regionNames.map((name): [string, string] => [plain(name), name])
  return new Map([...countries, ...Object.entries(otherNames), ...named])
}

/** The market of a row: the ISO code of a country, or the name of a region; null for an unknown name. */
export function marketOf(name: string): string | null {
  markets ??= knownMarkets()
  return markets.get(plain(name)) ?? null
}
