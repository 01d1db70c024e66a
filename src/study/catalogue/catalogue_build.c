/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Builds the catalogue for one n. */
#include "study/catalogue/catalogue_build.h"

#include "core/core.h"

/* Builds the catalogue; `named` is that of sb_catalogue_build_ranks(). */
static enum sb_status build_any(size_t n, bool ranked, bool named, struct sb_error *error,
                                struct sb_catalogue **catalogue)
{
    enum sb_status status;

    *catalogue = NULL;
    if (n < 2 || n > (ranked ? (size_t)SB_CATALOGUE_RANKED : SB_CATALOGUE_ITEMS))
        return SB_OK;
    *catalogue = sb_catalogue_new(n);
    if (!*catalogue)
        return sb_error_memory(error, "the catalogue");
    status =
        ranked ? sb_catalogue_build_ranks(*catalogue, named, error) : sb_catalogue_build_decks(*catalogue);
    if (status || (*catalogue)->count == 0) {
        sb_catalogue_free(*catalogue);
        *catalogue = NULL;
    }
    return status == SB_NO_MEMORY ? sb_error_memory(error, "the catalogue") : status;
}

enum sb_status sb_catalogue_build(size_t n, bool ranked, struct sb_error *error,
                                  struct sb_catalogue **catalogue)
{
    return build_any(n, ranked, false, error, catalogue);
}

enum sb_status sb_catalogue_build_names(size_t n, struct sb_error *error, struct sb_catalogue **catalogue)
{
    return build_any(n, true, true, error, catalogue);
}
