/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Expressions in the marks of pages:
 *
 *     'text'  1e-6  null  NAME          literals, and values that a mark has named; lessons have `pi`
 *     [report naive -n $n]              a command's JSON; $n stands for the value with this name
 *     x.effect.total_variation          a member; of an array, the object that has this string as a member
 *     x.counts[2]  x.orders['231']      the same with an expression for the index or the name; of a text, a byte
 *     && == != <= >= < > + - * / % ^    on numbers; == and != also compare strings and null
 *     ceil floor sqrt exp ln factorial  functions of a number: ceil(x)
 *     deals(n, k)  gcd(a, b)
 *     min(a) max(a) len(a)              of an array; the length also of a text
 *     range(a, b)                       the array of the integers from a to b
 *     count(a, x)  join(a, ', ')        how many elements equal x; the elements with text between them
 *
 * A string that is a number counts as that number, since JSON has large integers as strings.
 */
#include "report/page.h"

#include "core/text.h"

#include <ctype.h>

enum { VALUE_ARGUMENTS = 2, VALUE_TEXT = 1024 };

static void value_memory(struct sb_template *template)
{
    if (template->status == SB_OK)
        template->status = sb_error_memory(template->error, "a template");
}

/* Makes the template own a value; takes over a reference. */
static json_t *value_keep(struct sb_template *template, json_t *json)
{
    if (json_array_append_new(template->kept, json) == 0)
        return json;
    value_memory(template);
    return NULL;
}

static json_t *value_real(struct sb_template *template, double number)
{
    if (!isfinite(number))
        sb_template_fault(template, "a number that is not finite");
    return value_keep(template, json_real(number));
}

void sb_template_fault(struct sb_template *template, const char *at)
{
    char what[64];

    snprintf(what, sizeof what, "a text at '%.40s'", at);
    if (template->status == SB_OK)
        template->status = sb_error_broken(template->error, what);
}

void sb_template_name(struct sb_template *template, const char *name, json_t *value)
{
    if (json_object_set_new(template->names, name, value))
        value_memory(template);
}

double sb_template_number(json_t *value)
{
    if (json_is_string(value))
        return sb_decimal_read(json_string_value(value));
    return json_is_null(value) ? NAN : json_is_true(value) ? 1 : json_number_value(value);
}

const char *sb_template_text(json_t *value, char room[SB_TEMPLATE_NUMBER_ROOM])
{
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_null(value))
        return "";
    if (json_is_integer(value))
        snprintf(room, SB_TEMPLATE_NUMBER_ROOM, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else
        sb_decimal_format(room, SB_TEMPLATE_NUMBER_ROOM, "%.15g", sb_template_number(value));
    return room;
}

void sb_template_word(const char **at, char word[SB_TEMPLATE_NUMBER_ROOM])
{
    size_t length = 0;

    *at += strspn(*at, " \n");
    for (; length + 1 < SB_TEMPLATE_NUMBER_ROOM && (isalnum((unsigned char)**at) || **at == '_'); ++*at)
        word[length++] = **at;
    word[length] = '\0';
}

static bool value_equal(json_t *a, json_t *b)
{
    if (json_is_null(a) || json_is_null(b))
        return json_is_null(a) && json_is_null(b);
    if (json_is_string(a) && json_is_string(b))
        return strcmp(json_string_value(a), json_string_value(b)) == 0;
    return sb_template_number(a) == sb_template_number(b);
}

/* ---- functions ---- */

static double value_factorial(double n)
{
    return exp(sb_ln_gamma(n + 1));
}

static double value_deals(json_t *const argument[])
{
    return (double)sb_deals((size_t)sb_template_number(argument[0]), (size_t)sb_template_number(argument[1]));
}

static double value_gcd(json_t *const argument[])
{
    return (double)sb_gcd((uint64_t)sb_template_number(argument[0]), (uint64_t)sb_template_number(argument[1]));
}

static double value_len(json_t *const argument[])
{
    return (double)(json_is_string(argument[0]) ? json_string_length(argument[0]) : json_array_size(argument[0]));
}

/* Returns the least number in an array, or the largest if the sign is -1. */
static double value_least(json_t *array, double sign)
{
    double least = INFINITY;

    for (size_t i = 0; i < json_array_size(array); i++)
        least = fmin(least, sign * sb_template_number(json_array_get(array, i)));
    return sign * least;
}

static double value_min(json_t *const argument[])
{
    return value_least(argument[0], 1);
}

static double value_max(json_t *const argument[])
{
    return value_least(argument[0], -1);
}

static double value_count(json_t *const argument[])
{
    double count = 0;

    for (size_t i = 0; i < json_array_size(argument[0]); i++)
        count += value_equal(json_array_get(argument[0], i), argument[1]);
    return count;
}

static json_t *value_range(struct sb_template *template, json_t *const argument[])
{
    json_t *const range = value_keep(template, json_array());

    for (double x = sb_template_number(argument[0]); x <= sb_template_number(argument[1]); x++)
        if (json_array_append_new(range, json_real(x)))
            value_memory(template);
    return range;
}

static json_t *value_join(struct sb_template *template, json_t *const argument[])
{
    char text[VALUE_TEXT] = "", number[SB_TEMPLATE_NUMBER_ROOM], gap[SB_TEMPLATE_NUMBER_ROOM];

    for (size_t i = 0, used = 0; i < json_array_size(argument[0]) && used < sizeof text; i++, used = strlen(text)) {
        snprintf(text + used, sizeof text - used, "%s%s", i ? sb_template_text(argument[1], gap) : "",
                 sb_template_text(json_array_get(argument[0], i), number));
    }
    return value_keep(template, json_string(text));
}

/* The functions: of one number, of the arguments, and those that make a new value. */
static const struct {
    const char *name;
    double (*of_number)(double);
    double (*of)(json_t *const argument[]);
    json_t *(*make)(struct sb_template *template, json_t *const argument[]);
} value_functions[] = {
    { "ceil", .of_number = ceil },    { "floor", .of_number = floor }, { "sqrt", .of_number = sqrt },
    { "exp", .of_number = exp },      { "ln", .of_number = log },      { "factorial", .of_number = value_factorial },
    { "deals", .of = value_deals },   { "gcd", .of = value_gcd },      { "len", .of = value_len },
    { "min", .of = value_min },       { "max", .of = value_max },      { "count", .of = value_count },
    { "range", .make = value_range }, { "join", .make = value_join },
};

/* Calls the function `name`; *at stands behind the opening parenthesis. */
static json_t *value_call(struct sb_template *template, const char *name, const char **at)
{
    json_t *argument[VALUE_ARGUMENTS] = { NULL };
    size_t count = 0;

    do
        argument[count++] = sb_template_read(template, at);
    while (count < VALUE_ARGUMENTS && **at == ',' && ++*at);
    if (**at == ')')
        ++*at;
    else
        sb_template_fault(template, name);
    for (size_t i = 0; i < sizeof value_functions / sizeof value_functions[0]; i++)
        if (strcmp(name, value_functions[i].name) == 0) {
            if (value_functions[i].make)
                return value_functions[i].make(template, argument);
            const double first = sb_template_number(argument[0]);

            return value_real(template, value_functions[i].of ? value_functions[i].of(argument)
                                                              : value_functions[i].of_number(first));
        }
    sb_template_fault(template, name);
    return NULL;
}

/* ---- the parts of an expression ---- */

static json_t *value_digits(struct sb_template *template, const char **at)
{
    const double number = sb_decimal_read(*at);

    *at += strspn(*at, "0123456789");
    if (**at == '.' && isdigit((unsigned char)(*at)[1]))
        *at += 1 + strspn(*at + 1, "0123456789");
    if (**at == 'e')
        *at += 2 + strspn(*at + 2, "0123456789");
    return value_real(template, number);
}

static json_t *value_quoted(struct sb_template *template, const char **at)
{
    const char *const text = *at + 1;
    const size_t length = strcspn(text, "'");

    *at = text + length + 1;
    return value_keep(template, json_stringn(text, length));
}

/* Runs the command between brackets. */
static json_t *value_command(struct sb_template *template, const char **at)
{
    char command[VALUE_TEXT], room[SB_TEMPLATE_NUMBER_ROOM], word[SB_TEMPLATE_NUMBER_ROOM];
    size_t used = 0;

    for (++*at; **at && **at != ']' && used < sizeof command - 1;)
        if (**at == '$') {
            ++*at;
            sb_template_word(at, word);
            json_t *const value = json_object_get(template->names, word);

            used += (size_t)snprintf(command + used, sizeof command - used, "%s", sb_template_text(value, room));
        } else {
            command[used++] = *(*at)++;
        }
    *at += **at == ']';
    command[used < sizeof command ? used : sizeof command - 1] = '\0';
    return template->command ? template->command(template, command) : NULL;
}

static json_t *value_named(struct sb_template *template, const char **at)
{
    const char *const start = *at;
    char word[SB_TEMPLATE_NUMBER_ROOM];

    sb_template_word(at, word);
    if (**at == '(') {
        ++*at;
        return value_call(template, word, at);
    }
    json_t *const json = strcmp(word, "null") == 0 ? json_null() : json_object_get(template->names, word);

    if (!json)
        sb_template_fault(template, start);
    return json;
}

static json_t *value_member(json_t *of, const char *name)
{
    if (!json_is_array(of))
        return json_object_get(of, name);
    for (size_t i = 0; i < json_array_size(of); i++) {
        json_t *const each = json_array_get(of, i), *member;
        const char *key;

        json_object_foreach(each, key, member) if (json_is_string(member) &&
                                                   strcmp(json_string_value(member), name) == 0) return each;
    }
    return NULL;
}

static json_t *value_letter(struct sb_template *template, json_t *text, json_t *index)
{
    const double at = sb_template_number(index);

    return at >= 0 && at < (double)json_string_length(text)
               ? value_keep(template, json_stringn(json_string_value(text) + (size_t)at, 1))
               : NULL;
}

/* Reads ".name" or "[index]". */
static json_t *value_part(struct sb_template *template, const char **at, json_t *of)
{
    const char *const start = *at;
    char name[SB_TEMPLATE_NUMBER_ROOM];
    json_t *part;

    if (*(*at)++ == '.') {
        sb_template_word(at, name);
        part = value_member(of, name);
    } else {
        json_t *const index = sb_template_read(template, at);

        *at += **at == ']';
        part = json_is_string(of)      ? value_letter(template, of, index)
               : json_is_string(index) ? value_member(of, json_string_value(index))
                                       : json_array_get(of, (size_t)sb_template_number(index));
    }
    if (!part)
        sb_template_fault(template, start);
    return part;
}

static json_t *value_primary(struct sb_template *template, const char **at)
{
    json_t *value;

    *at += strspn(*at, " \n");
    if (isdigit((unsigned char)**at)) {
        value = value_digits(template, at);
    } else if (**at == '(') {
        ++*at;
        value = sb_template_read(template, at);
        *at += **at == ')';
    } else if (**at == '\'') {
        value = value_quoted(template, at);
    } else if (**at == '[') {
        value = value_command(template, at);
    } else {
        value = value_named(template, at);
    }
    while (template->status == SB_OK && (**at == '[' || (**at == '.' && isalpha((unsigned char)(*at)[1]))))
        value = value_part(template, at, value);
    return value;
}

static const struct value_operator {
    const char *sign;
    int level; /* a higher level binds more tightly */
} value_operators[] = {
    { "&&", 0 }, { "==", 1 }, { "!=", 1 }, { "<=", 1 }, { ">=", 1 }, { "<", 1 }, { ">", 1 },
    { "+", 2 },  { "-", 2 },  { "*", 3 },  { "/", 3 },  { "%", 3 },  { "^", 4 },
};

static const struct value_operator *value_operator(const char *at)
{
    for (size_t i = 0; i < sizeof value_operators / sizeof value_operators[0]; i++)
        if (strncmp(at, value_operators[i].sign, strlen(value_operators[i].sign)) == 0)
            return &value_operators[i];
    return NULL;
}

static double value_apply(const char *sign, json_t *left, json_t *right)
{
    const double a = sb_template_number(left), b = sb_template_number(right);

    switch (sign[0]) {
    case '&':
        return a != 0 && b != 0;
    case '=':
        return value_equal(left, right);
    case '!':
        return !value_equal(left, right);
    case '<':
        return sign[1] ? a <= b : a < b;
    case '>':
        return sign[1] ? a >= b : a > b;
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    case '/':
        return a / b;
    case '%':
        return fmod(a, b);
    default:
        return pow(a, b);
    }
}

/* Reads operands, and operators of this level and above. */
static json_t *value_level(struct sb_template *template, const char **at, int level)
{
    json_t *left = value_primary(template, at);

    while (template->status == SB_OK) {
        *at += strspn(*at, " \n");
        const struct value_operator *const next = value_operator(*at);

        if (!next || next->level < level)
            break;
        *at += strlen(next->sign);
        json_t *const right = value_level(template, at, next->level + 1);

        left = value_real(template, value_apply(next->sign, left, right));
    }
    return left;
}

json_t *sb_template_read(struct sb_template *template, const char **at)
{
    return value_level(template, at, 0);
}
