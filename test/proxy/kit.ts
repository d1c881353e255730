/** `count` proxies of a region. */
export const proxiesOf = (region: string, count: number) =>
  Array.from({ length: count }, (_, nth) => ({ url: `http://u:secret@${region}${nth}.proxy.test:8000`, region }))
