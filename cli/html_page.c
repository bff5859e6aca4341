/* SPDX-License-Identifier: MIT */
#include "html_page.h"

#include "general.h"

#include "shepard/shepard.h"

static const char style[] =
    ":root{color-scheme:light;--ink:#1c2126;--soft:#56606b;--line:#d5dade;--accent:#1f5f8b}"
    "*{box-sizing:border-box}"
    "body{margin:0;border-top:6px solid "
    "var(--accent);background:#fff;color:var(--ink);font:16px/1.5 system-ui,\"Segoe UI\","
    "Roboto,\"DejaVu Sans\",sans-serif}"
    "header,main,footer{max-width:1240px;margin:0 auto;padding:0 28px}"
    "header{padding-top:28px}"
    "h1{font-size:1.75rem;line-height:1.25;margin:0 0 .3rem;overflow-wrap:anywhere}"
    "h2{font-size:1.25rem;margin:2.2rem 0 .8rem;padding-bottom:.3rem;"
    "border-bottom:2px solid var(--line);overflow-wrap:anywhere}"
    "h3{font-size:1rem;margin:0 0 .4rem;overflow-wrap:anywhere}"
    "p{margin:.3rem 0;max-width:75ch;overflow-wrap:anywhere}"
    ".figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,430px),1fr));"
    "gap:28px 36px;align-items:start;margin-top:1.2rem}"
    ".tables{columns:2 430px;column-gap:36px}"
    ".table{break-inside:avoid;padding-bottom:24px}"
    "figure{margin:0;max-width:590px;width:100%;break-inside:avoid}"
    "figure svg{display:block;width:100%;height:auto}"
    "figcaption{color:var(--soft);font-size:.875rem;margin-top:.3rem}"
    "svg text{font:12.5px system-ui,\"Segoe UI\",Roboto,\"DejaVu Sans\",sans-serif;"
    "fill:var(--ink)}"
    "svg .strong{font-weight:600}"
    "svg .ground{fill:#f4f5f6}"
    "svg .edge{fill:none;stroke:#3a424a;stroke-width:1}"
    "svg .tick{stroke:#3a424a;stroke-width:1}"
    "svg .grid{stroke:#dfe3e6;stroke-width:1}"
    "svg .reference{stroke:#3a424a;stroke-width:1.2;stroke-dasharray:5 3}"
    "svg .marks{fill:none;stroke:#1f5f8b;stroke-opacity:.6;stroke-linecap:round}"
    "svg .bar{fill:#4a82ab}"
    "svg .line{fill:none;stroke:#1f5f8b;stroke-width:1.6}"
    "svg .knot{fill:#1f5f8b;stroke:#fff}"
    ".scores{display:flex;flex-wrap:wrap;gap:10px;margin:.8rem 0 1.4rem;padding:0;list-style:none}"
    ".scores li{border:1px solid var(--line);border-radius:6px;padding:8px 14px;min-width:112px}"
    ".scores b{display:block;font-size:1.25rem;font-variant-numeric:tabular-nums}"
    ".scores span{color:var(--soft);font-size:.8125rem}"
    "table{border-collapse:collapse;width:100%;font-size:.9375rem}"
    "th,td{text-align:left;vertical-align:top;padding:5px 10px 5px 0;"
    "border-bottom:1px solid var(--line);overflow-wrap:anywhere}"
    "th{font-weight:400;color:var(--soft);width:46%;font-size:.875rem}"
    "td{font-variant-numeric:tabular-nums}"
    ".wide{overflow-x:auto}.wide th{width:auto;color:var(--ink);vertical-align:bottom}"
    ".wide tbody th{font-weight:600;padding-right:16px}"
    ".wide th,.wide td{overflow-wrap:normal}.wide tbody th,.wide td{vertical-align:baseline}"
    ".wide th:nth-child(n+2),.wide td{text-align:right;padding:5px 0 5px 12px}"
    "pre{background:#f4f5f6;border:1px solid var(--line);border-radius:6px;padding:12px 14px;"
    "white-space:pre-wrap;overflow-wrap:anywhere;font:.875rem/1.5 ui-monospace,"
    "\"DejaVu Sans Mono\",monospace}"
    ".notes{padding-left:1.2rem;max-width:90ch;overflow-wrap:anywhere}"
    "footer{color:var(--soft);font-size:.875rem;padding-top:8px;padding-bottom:28px}"
    "@media(max-width:600px){header,main,footer{padding-left:12px;padding-right:12px}"
    "h1{font-size:1.375rem}.scores li{flex:1 1 30%}header{padding-top:16px}}"
    "@media print{body{font-size:10.5pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}"
    "header,main,footer{max-width:none;padding-left:0;padding-right:0}"
    ".figures{grid-template-columns:1fr 1fr;gap:16px}h2{break-after:avoid}}";

void shepard_html_page_begin(struct shepard_html *html, const char *title)
{
    shepard_html_raw(html, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                           "<meta name=\"viewport\" content=\"width=device-width,"
                           "initial-scale=1\"><meta name=\"generator\" content=\"shepard ");
    shepard_html_text(html, shepard_version());
    shepard_html_raw(html, "\"><link rel=\"icon\" href=\"data:,\"><title>");
    shepard_html_text(html, title);
    shepard_html_format(html, "</title><style>%s</style></head>\n<body><header><h1>", style);
    shepard_html_text(html, title);
    shepard_html_raw(html, "</h1>\n");
}

void shepard_html_page_body(struct shepard_html *html)
{
    shepard_html_raw(html, "</header><main>\n");
}

void shepard_html_notes(struct shepard_html *html, const struct shepard_text_list *notes)
{
    if (notes->count == 0) {
        return;
    }
    shepard_html_raw(html, "<h2>Notes</h2><ul class=\"notes\">");
    for (size_t i = 0; i < notes->count; i++) {
        shepard_html_raw(html, "<li>");
        shepard_html_text(html, notes->items[i]);
        shepard_html_raw(html, "</li>");
    }
    shepard_html_raw(html, "</ul>\n");
}

void shepard_html_page_end(struct shepard_html *html, const char *command)
{
    shepard_html_raw(html, "<h2>Command</h2><p>This repeats the run, from the same folder:</p>"
                           "<pre><code>");
    shepard_html_text(html, command);
    shepard_html_raw(html, "</code></pre>\n</main><footer><p>Made by shepard ");
    shepard_html_text(html, shepard_version());
    shepard_html_raw(html, " with GDAL ");
    shepard_html_text(html, shepard_general_gdal_version());
    shepard_html_raw(html, ".</p></footer></body></html>\n");
}
