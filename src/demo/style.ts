/** One sheet for the whole shop, set into every page as many shops do. */
export const style = `
:root { --ink: #2d2a26; --paper: #fbf8f2; --line: #e2d9c8; --wheel: #7a4b22; --water: #2f6f8f; --leaf: #55702f; }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { margin: 0; font: 16px/1.6 Georgia, 'Times New Roman', serif; color: var(--ink); background: var(--paper); }
a { color: var(--water); text-decoration-thickness: 1px; text-underline-offset: 3px; }
a:hover { color: var(--wheel); }
img { max-width: 100%; height: auto; border-radius: 8px; }
h1, h2, h3 { line-height: 1.25; font-weight: 600; letter-spacing: -0.01em; }
h1 { font-size: 2rem; margin: 0.4em 0; }
h2 { font-size: 1.3rem; border-bottom: 1px solid var(--line); padding-bottom: 0.3em; margin-top: 2em; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 1rem; top: 1rem; background: #fff; padding: 0.5rem 1rem; }
header.top { background: linear-gradient(#fff, #f3ecdf); border-bottom: 1px solid var(--line); }
header.top .bar { max-width: 72rem; margin: auto; padding: 1rem 1.5rem; display: flex; gap: 1.5rem; align-items: center; }
.brand { font-size: 1.5rem; font-weight: 700; color: var(--wheel); text-decoration: none; white-space: nowrap; }
.brand svg { width: 2rem; height: 2rem; vertical-align: -0.5rem; margin-right: 0.4rem; }
nav.main ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; margin: 0; padding: 0; font-size: 0.92rem; }
main { max-width: 72rem; margin: auto; padding: 1.5rem; }
.breadcrumb { list-style: none; display: flex; flex-wrap: wrap; gap: 0.5rem; padding: 0; margin: 0; font-size: 0.85rem; }
.breadcrumb li + li::before { content: '\\203a'; margin-right: 0.5rem; color: #9b8f7c; }
.hero { padding: 2.5rem 2rem; border-radius: 14px; color: #fff; background: linear-gradient(120deg, var(--wheel), var(--water)); }
.hero h1 { font-size: 2.6rem; margin: 0; }
.products, .related ul, .articles { list-style: none; padding: 0; display: grid; gap: 1.2rem; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); }
.card { background: #fff; border: 1px solid var(--line); border-radius: 10px; padding: 0.9rem; display: flex; flex-direction: column; }
.card:hover { box-shadow: 0 6px 22px rgb(80 55 20 / 0.13); transform: translateY(-2px); transition: all 0.15s ease-out; }
.card h3 { font-size: 1rem; margin: 0.6rem 0 0.3rem; }
.card .price { margin: auto 0 0; }
.price { font-size: 1.15rem; font-weight: 700; color: var(--leaf); }
.buybox .price { font-size: 1.9rem; margin: 0.2em 0; }
.product { display: grid; gap: 2rem; grid-template-columns: minmax(0, 5fr) minmax(0, 4fr); }
.gallery { display: grid; gap: 0.6rem; grid-template-columns: repeat(3, 1fr); }
.gallery img:first-child { grid-column: 1 / -1; }
.buybox { background: #fff; border: 1px solid var(--line); border-radius: 12px; padding: 1.2rem 1.5rem; align-self: start; }
.stars { color: #c98a12; letter-spacing: 0.1em; }
.stock { display: inline-block; padding: 0 0.7em; border-radius: 1em; font-size: 0.85rem; background: #e6efd9; color: var(--leaf); }
.stock.out { background: #f4e0da; color: #94412b; }
button { font: inherit; color: #fff; background: var(--wheel); border: 0; border-radius: 8px; padding: 0.7em 1.6em; cursor: pointer; }
button:hover { background: #5f3817; }
table { border-collapse: collapse; width: 100%; background: #fff; }
th, td { text-align: left; padding: 0.45rem 0.8rem; border-bottom: 1px solid var(--line); vertical-align: top; }
table.specs th { width: 14rem; font-weight: 400; color: #7b7061; }
.review { border-left: 3px solid var(--line); padding-left: 1rem; margin: 1.2rem 0; }
.review p { margin: 0.2rem 0; }
.review .who { font-weight: 600; }
.pager { list-style: none; display: flex; gap: 1.5rem; justify-content: center; padding: 1rem; }
footer { margin-top: 4rem; background: #2d2a26; color: #d9cfbf; font-size: 0.85rem; }
footer a { color: #e9dcc4; }
footer .columns { max-width: 72rem; margin: auto; padding: 2rem 1.5rem; display: grid; gap: 1.5rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }
footer h4 { margin: 0 0 0.4rem; color: #fff; font-weight: 600; }
footer ul { list-style: none; margin: 0; padding: 0; }
@media (max-width: 46rem) { .product { grid-template-columns: 1fr; } header.top .bar { flex-direction: column; align-items: start; } }
@media print { nav, footer, .related { display: none; } }
`
