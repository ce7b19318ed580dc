/** A name or a withdrawn code that means several regions of a country, and where these are. */
export interface DividedName {
  country: string;
  /** Names as `plainName` makes them, separated by ` | `. */
  names?: string;
  /** Withdrawn codes of such a region in ISO 3166-2, separated by blanks. */
  codes?: string;
  /** The region that is the city of that name. */
  city?: string;
  /** The region around that city. */
  around?: string;
  /** The one of them that all vendors call so, beside another name for the other ("Buenos Aires F.D.", "Moscow Oblast"). */
  usual?: string;
  /** Codes, each with towns in that region: latitude and longitude in degrees. */
  points: string;
}

/**
 * Names that mean several first-level subdivisions: the pairs of ISO 3166-2 and CLDR, and names of databases that are not
 * in ISO 3166-2 but consist of regions that are (the former province of Taiwan, Central Serbia, the West Bank; `taipei` and `kaohsiung` for
 * what were counties around them), or were divided since 2018. An address is in the region of the nearest point.
 *
 * The points are towns of GeoNames (CC BY 4.0) with the region that GeoNames states, reduced to those needed, and nine
 * suburbs of Kyiv, Minsk and Zagreb. divided-names.test.ts compares them with all of GeoNames' towns.
 */
export const DIVIDED_NAMES: readonly DividedName[] = [
  {
    country: "AR",
    names: "buenos aires",
    city: "C",
    around: "B",
    usual: "B",
    points:
      "B -34.51,-58.68 -34.67,-58.41 -34.43,-58.58 -34.68,-58.35 -34.6,-58.54 -34.68,-58.56 -34.47,-58.52 -34.66,-58.7 -34.73,-58.4 -34.72,-58.25 -34.75,-58.7 -34.51,-58.48 -34.56,-58.71 -34.65,-58.62 -34.73,-58.35 -34.67,-58.73 -34.64,-58.59 -34.5,-58.71 -34.76,-58.4 -34.71,-58.39 -34.75,-58.58 -34.66,-58.67 -34.7,-58.59 -34.59,-58.63 -34.58,-58.54 -34.45,-58.64 -34.81,-58.28 -34.85,-58.52 -34.62,-58.6 -34.49,-58.63 -34.65,-58.64 -34.61,-58.56 -34.86,-58.5 -34.83,-58.4 -34.77,-58.21 -34.57,-58.69 -34.75,-58.39 -34.66,-58.37 -34.54,-58.71 -34.8,-58.38 -34.48,-58.71 -34.63,-58.57; C -34.58,-58.47 -34.68,-58.47 -34.58,-58.38 -34.59,-58.43 -34.57,-58.45 -34.61,-58.38 -34.63,-58.42 -34.56,-58.46 -34.65,-58.38 -34.61,-58.4 -34.61,-58.48",
  },
  { country: "AZ", names: "lankaran", city: "LA", around: "LAN", points: "LA 38.75,48.85; LAN 38.76,48.76" },
  {
    country: "AZ",
    names: "shaki | saki",
    city: "SA",
    around: "SAK",
    points: "SA 41.19,47.17; SAK 41.1,47.08 41.33,47.11",
  },
  { country: "AZ", names: "yevlakh | yevlax", city: "YE", around: "YEV", points: "YE 40.62,47.15; YEV 40.63,46.98" },
  { country: "BG", names: "sofia", city: "22", around: "23", points: "22 42.73,23.47; 23 42.68,23.7 42.82,23.22" },
  {
    country: "BY",
    names: "minsk",
    city: "HM",
    around: "MI",
    points: "HM 53.9,27.57; MI 53.82,27.52 54,27.57 53.94,27.78 53.94,27.43 53.87,27.7",
  },
  {
    country: "GH",
    names: "brong ahafo | brong ahafo region",
    codes: "BA",
    points: "AF 7.17,-2.1 6.9,-2.56; BE 7.59,-1.94 8.06,-1.73; BO 7.4,-2.47 7.74,-2.1",
  },
  {
    country: "GL",
    names: "qaasuitsup",
    codes: "QA",
    points: "AV 69.22,-51.1; QT 68.82,-51.19",
  },
  {
    country: "HR",
    names: "zagreb",
    city: "21",
    around: "01",
    points:
      "01 45.83,16.06 45.79,15.82 45.74,16.03 45.83,16.3 45.71,16.02 45.75,15.84 45.69,15.74 45.59,15.86 45.9,15.88 45.58,16.05 45.92,15.78; 21 45.78,15.98 45.76,15.88 45.83,16.12 45.73,16.01 45.7,15.82 45.81,15.88 45.66,15.95",
  },
  {
    country: "HU",
    names: "veszprem",
    city: "VM",
    around: "VE",
    points: "VE 47.06,17.87 47.1,18 47.26,17.87; VM 47.09,17.91",
  },
  { country: "KG", names: "osh", city: "GO", around: "O", points: "GO 40.53,72.8; O 40.77,73.3 40.7,72.87 40.52,72.5" },
  {
    country: "KZ",
    names: "almaty",
    city: "75",
    around: "19",
    points: "19 43.36,76.85 43.42,77.02; 75 43.37,76.94 43.25,76.91",
  },
  {
    country: "KZ",
    codes: "ALM",
    points: "19 43.36,77.45 43.54,79.47; 33 44.86,78.77 44.21,80.21",
  },
  {
    country: "KZ",
    codes: "KAR",
    points: "35 49.64,72.87 48.88,68.81 47.21,71.39; 62 47.84,67.61 48.01,70.8",
  },
  {
    country: "KZ",
    codes: "VOS",
    points:
      "10 49.59,81.05 47.76,82.81 50.54,81.33 47.96,80.43 46.78,82.02 49.33,81.57; 63 49.68,83.3 48.57,83.66 50.55,81.85 47.09,81.63 49.21,81.22",
  },
  {
    country: "LA",
    names: "vientiane | viangchan",
    city: "VT",
    around: "VI",
    points: "VI 18.5,102.42 17.91,101.67; VT 17.97,102.6",
  },
  {
    country: "LV",
    names: "jelgava",
    city: "JEL",
    around: "041",
    points: "041 56.69,23.78 56.42,23.55; JEL 56.65,23.71",
  },
  { country: "LV", names: "rezekne", city: "REZ", around: "077", points: "077 56.55,26.92; REZ 56.51,27.34" },
  { country: "LV", names: "ventspils", city: "VEN", around: "106", points: "106 57.27,22.03; VEN 57.39,21.56" },
  {
    country: "MA",
    codes: "13 14",
    points:
      "08 31.04,-7.21 30.33,-5.84; 09 29.7,-9.73 30.53,-7.91 30.09,-6.87; 10 28.99,-10.06 29.58,-10.03; 11 26.74,-11.67",
  },
  { country: "MZ", names: "maputo", city: "MPM", around: "L", points: "L -25.74,32.68 -25.96,32.46; MPM -25.9,32.58" },
  {
    country: "NO",
    names: "viken",
    codes: "30",
    points:
      "31 59.66,10.99 59.43,10.66 59.64,11.32; 32 60.24,10.39 59.93,10.45 59.66,10.79 59.76,11.14; 33 60.17,10.26 59.75,10.02 59.55,10.39",
  },
  {
    country: "NO",
    names: "vestfold og telemark | vestfold and telemark",
    codes: "38",
    points: "39 59,10.03; 40 59,9.75",
  },
  {
    country: "NO",
    names: "troms og finnmark | troms and finnmark",
    codes: "54",
    points: "55 69.77,21.02; 56 69.01,23.04 70.66,23.68",
  },
  {
    country: "NP",
    codes: "1 2 3 4 5 BA BH DH GA JA KA KO LU MA ME NA RA SA SE",
    points:
      "P1 26.81,87.28 26.79,86.7; P2 27.02,84.88 26.54,86.75 26.72,86.48; P3 27.67,85.43 27.68,84.44; P4 28.22,83.68 28.21,84.36; P5 28.04,82.49 27.69,83.45 28.21,81.35; P6 28.84,81.71 28.38,82.17 28.23,84.38; P7 29.26,80.94",
  },
  {
    country: "PE",
    names: "lima",
    city: "LMA",
    around: "LIM",
    points: "LIM -11.13,-77.19 -11.9,-76.66 -12.21,-76.51 -12.52,-76.74; LMA -11.94,-76.71 -12.48,-76.8",
  },
  {
    country: "PS",
    names: "gaza strip",
    points:
      "DEB 31.44,34.4 31.4,34.34; GZA 31.5,34.47 31.47,34.41; KYS 31.37,34.34 31.34,34.31; NGZ 31.53,34.48; RFH 31.26,34.28 31.3,34.24",
  },
  {
    country: "PS",
    names: "west bank",
    points:
      "BTH 31.7,35.18; HBN 31.62,35.1 31.53,35.1; JEM 31.8,35.25 31.83,35.12; JEN 32.32,35.2 32.42,35.23 32.46,35.3; JRH 31.95,35.47 32.14,35.49 31.87,35.44; NBS 32.24,35.21 32.25,35.27 32.15,35.26 32.21,35.19; QQA 32.19,35.16 32.18,35.02 32.12,35.02; RBH 31.87,35.07 31.95,35.3 31.9,35.2; SLT 32.11,35.2 32.1,35.04; TBS 32.28,35.38; TKM 32.37,35.07 32.31,35.12",
  },
  {
    country: "RS",
    names: "central serbia | centralna srbija | serbia proper",
    points:
      "00 44.68,20.39 44.44,20.7 44.39,20.26; 08 44.7,19.5; 09 44.28,19.9 44.37,20.17; 10 44.52,21.07 44.33,21.08; 11 44.52,21.64 44.62,21.19 44.36,21.21 44.2,21.79; 12 44.25,20.68 44.18,21.1 43.93,20.72; 13 44.23,21.2 43.86,21.41; 14 44.47,22.15 44.07,22.1; 15 43.83,21.95 43.9,22.26; 16 43.85,20.04 43.27,20; 17 43.86,20.14 44.14,20.49; 18 43.29,20.62 43.63,20.9; 19 43.62,21 43.72,21.44; 20 43.67,21.55 43.28,21.72 43.2,21.83; 21 43.23,21.59 43.19,21.71; 22 43.15,22.59; 23 43,21.95 42.81,22.3; 24 42.71,22.06 42.5,22.47",
  },
  {
    country: "RU",
    names: "moscow",
    city: "MOW",
    around: "MOS",
    usual: "MOW",
    points:
      "MOS 55.74,37.8 55.72,37.5 55.7,37.38 55.95,37.54 55.55,37.32 55.68,37.89 55.93,37.83 55.42,37.55 55.55,37.78 55.82,37.35 55.76,37.86 55.64,37.21 55.55,37.08 55.63,37.8 55.7,37.57 56.02,37.15 55.95,37.24 55.98,37.13 55.67,37.45 55.53,37.62 55.79,37.3 55.67,38.01 55.74,38.02 55.83,37.52 55.9,37.43; MOW 55.72,37.55 55.72,37.47 55.87,37.58 55.64,37.38 55.72,37.82 55.5,37.33 55.62,37.77 55.61,37.22 55.72,37.42 55.82,37.41 55.77,37.83 55.7,37.5 55.73,37.77 55.66,37.57 55.64,37.79 55.98,37.18 55.67,37.47 55.68,37.45 55.5,37.56 55.58,37.6 55.94,37.55 55.79,37.35 55.7,37.58 55.7,37.94 55.87,37.5 55.8,37.52 55.56,37.35 55.75,37.49",
  },
  {
    country: "RU",
    names: "altai | altay",
    points: "AL 51.42,85.99 52,85.9 52.01,86.55 51.89,85.85; ALT 52.05,85.09 52.18,85.97 51.95,85.8",
  },
  {
    country: "TW",
    names: "taiwan | taiwan province | fukien | fujian | taipei | kaohsiung",
    points:
      "CHA 23.92,120.55 24.11,120.54 23.81,120.62; CYI 23.49,120.44; CYQ 23.38,120.16 23.56,120.35; HSQ 24.73,121.09 24.84,121.01; HSZ 24.8,120.97; HUA 24.12,121.63; ILA 24.76,121.75; KEE 25.13,121.74; KHH 22.63,120.36; KIN 24.43,118.25; LIE 26.15,119.95; MIA 24.69,120.91; NAN 23.92,120.66 23.76,120.68; NWT 25.01,121.47 25.17,121.44 25.07,121.66 24.96,121.35 25.11,121.84; PEN 23.57,119.59; PIF 22.47,120.45 22.67,120.49; TAO 24.97,121.26 24.96,121.01; TNN 23.31,120.31; TPE 25.08,121.59; TTT 23.05,121.16; TXG 24.15,120.68 24.21,120.57; YUN 23.76,120.5 23.57,120.3 23.76,120.62",
  },
  {
    country: "TW",
    names: "chiayi",
    city: "CYI",
    around: "CYQ",
    points: "CYI 23.49,120.44; CYQ 23.38,120.16 23.56,120.35",
  },
  {
    country: "TW",
    names: "hsinchu",
    city: "HSZ",
    around: "HSQ",
    points: "HSZ 24.8,120.97; HSQ 24.73,121.09 24.84,121.01",
  },
  {
    country: "UA",
    names: "kyiv | kiev",
    city: "30",
    around: "32",
    points:
      "30 50.44,30.37 50.35,30.48 50.51,30.6 50.52,30.44 50.47,30.36 50.54,30.36 50.39,30.44 50.38,30.7 50.52,30.68 50.3,30.57 50.41,30.4; 32 50.33,30.47 50.55,30.64 50.43,30.33 50.58,30.49 50.49,30.33 50.56,30.33 50.36,30.41 50.3,30.72 50.39,30.78 50.41,30.37 50.56,30.82 50.27,30.52 50.3,30.52 50.41,30.38 50.35,30.46 50.43,30.33",
  },
  {
    country: "UZ",
    names: "tashkent | toshkent",
    city: "TK",
    around: "TO",
    points: "TK 41.37,69.28 41.2,69.22; TO 41.03,69.36 41.38,69.35 41.19,69.15",
  },
];
