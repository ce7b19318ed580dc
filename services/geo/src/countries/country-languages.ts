/**
 * The languages of each country (ISO 3166-1 alpha-2): those with an ISO 639-1 code that are official in the whole country, by law or
 * in fact. At most 10, the most spoken first. Taken from `territoryInfo` of CLDR 48.2 (`official` and `de_facto_official`), with which
 * country-languages.test.ts compares them. Norwegian is given as its written forms, nb and nn.
 */
const OFFICIAL =
  "AD ca; AE ar; AF fa ps; AG en; AI en; AL sq; AM hy; AO pt; AR es; AS sm en; AT de; AU en; AW nl; AX sv; AZ az; " +
  "BA bs hr sr; BB en; BD bn; BE nl fr de; BF fr; BG bg; BH ar; BI rn fr en; BJ fr; BL fr; BM en; BN ms; " +
  "BO es qu ay; BQ nl; BR pt; BS en; BT dz; BW en tn; BY ru be; BZ en; CA en fr; CC en; CD fr; CF sg fr; CG fr; " +
  "CH de fr it; CI fr; CK en; CL es; CM fr en; CN zh; CO es; CR es; CU es; CV pt; CW nl; CX en; CY el tr; CZ cs; " +
  "DE de; DJ fr ar; DK da; DM en; DO es; DZ ar fr; EC es qu; EE et; EG ar; EH ar; ER ti en ar; ES es; ET am; " +
  "FI fi sv; FJ en fj; FK en; FM en; FO fo; FR fr; GA fr; GB en; GD en; GE ka; GF fr; GG en; GH en; GI en; GL kl; " +
  "GM en; GN fr; GP fr; GQ es fr pt; GR el; GS en; GT es; GU en ch; GW pt; GY en; HK zh en; HN es; HR hr; " +
  "HT ht fr; HU hu; ID id; IE en ga; IL he ar; IM en gv; IN hi en; IO en; IQ ar; IR fa; IS is; IT it; JE en; " +
  "JM en; JO ar; JP ja; KE sw en; KG ky ru; KH km; KI en; KM ar fr; KN en; KP ko; KR ko; KW ar; KY en; KZ ru kk; " +
  "LA lo; LB ar; LC en; LI de; LK si ta; LR en; LS st en; LT lt; LU fr lb de; LV lv; LY ar; MA ar fr; MC fr; " +
  "MD ro; ME sr; MF fr; MG mg fr en; MH en mh; MK mk; ML fr; MM my; MN mn; MO zh pt; MP en; MQ fr; MR ar; MS en; " +
  "MT mt en; MU fr en; MV dv; MW en ny; MX es; MY ms; MZ pt; NA en; NC fr; NE fr; NF en; NG en yo; NI es; NL nl; " +
  "NO nb nn; NP ne; NR en na; NU en; NZ en mi; OM ar; PA es; PE es qu; PF fr ty; PG en ho; PH en; PK ur en; PL pl; " +
  "PM fr; PN en; PR es en; PS ar; PT pt; PW en; PY gn es; QA ar; RE fr; RO ro; RS sr; RU ru; RW rw en fr; SA ar; " +
  "SB en; SC fr en; SD ar en; SE sv; SG en zh ms ta; SH en; SI sl; SJ nb; SK sk; SL en; SM it; SN wo fr; SO so ar; " +
  "SR nl; SS en; ST pt; SV es; SX en nl; SY ar; SZ en ss; TC en; TD ar fr; TG fr; TH th; TJ tg; TK en; TL pt; " +
  "TM tk; TN ar fr; TO to en; TR tr; TT en; TV en; TW zh; TZ sw en; UA uk ru; UG sw en; UM en; US en; UY es; " +
  "UZ uz; VA it; VC en; VE es; VG en; VI en; VN vi; VU bi en fr; WF fr; WS sm en; XK sq sr; YE ar; YT fr; ZA en; " +
  "ZM en; ZW sn en nd";

/**
 * Reviewed exceptions, where CLDR differs from the law, or names no language. Constitutions are those in force in November 2026
 * (https://www.constituteproject.org, and the official journals of Burkina Faso, Mali and Niger).
 */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  BF: ["ff"], // constitution, article 35 as amended in December 2023: national languages; French is a working language
  BO: ["es", "qu", "ay", "gn"], // constitution of 2009, article 5
  BV: ["nb", "nn"], // uninhabited, part of Norway
  CD: ["fr", "sw", "ln", "lu", "kg"], // four national languages beside French (constitution, article 1)
  CW: ["nl", "en"], // Papiamento has no two-letter code; English is official since 2007
  DZ: ["ar"], // French is not official; Tamazight has no two-letter code
  ES: ["es", "ca", "gl", "eu"], // also official in their communities (constitution, article 3)
  HM: ["en"], // uninhabited, part of Australia
  IQ: ["ar", "ku"], // constitution, article 4
  MA: ["ar"], // constitution of 2011, article 5: Arabic and Tamazight, which has no two-letter code
  MG: ["mg", "fr"], // English is no longer official since 2010
  MK: ["mk", "sq"], // law on languages, 2019
  ML: ["bm", "ff"], // constitution of July 2023, article 31: 13 national languages; French is a working language
  MP: ["en", "ch"], // Carolinian has no two-letter code
  NE: ["ha"], // charter of March 2025, article 12: Hausa; French and English are working languages
  NG: ["en"], // Yoruba is no more official than Hausa and Igbo
  PH: ["en", "tl"], // Filipino has no two-letter code; it is based on Tagalog
  RW: ["rw", "en", "fr", "sw"], // constitution, article 8, and organic law 02/2017 of April 2017, which added Swahili
  TF: ["fr"], // no permanent population, part of France
  TN: ["ar"], // constitution, article 1
  UA: ["uk"], // law on the state language, 2019
  VA: ["it", "la"],
  ZA: ["en", "zu", "xh", "af", "tn", "st", "ts", "ss", "ve", "nr"], // constitution, section 6; CLDR: official in regions
  ZW: ["sn", "nd", "en", "ny", "ts", "st", "tn", "ve", "xh"], // constitution of 2013, section 6
};

/** Countries for which CLDR is not followed. */
export const EXCEPTIONAL_COUNTRIES: readonly string[] = Object.keys(EXCEPTIONS);

/** The languages of each country (ISO 3166-1 alpha-2), the most spoken first; places without a population have none. */
export const COUNTRY_LANGUAGES: ReadonlyMap<string, readonly string[]> = new Map([
  ...OFFICIAL.split("; ").map((entry) => [entry.slice(0, 2), Object.freeze(entry.slice(3).split(" "))] as const),
  ...Object.entries(EXCEPTIONS).map(([country, languages]) => [country, Object.freeze([...languages])] as const),
]);
