/** The part of it that tests use. */
declare module 'papaparse' {
  const papa: {
    parse<Row>(text: string, options?: { skipEmptyLines?: boolean; delimiter?: string }): { readonly data: Row[] }
  }
  export default papa
}
